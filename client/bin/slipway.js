#!/usr/bin/env node
import { existsSync } from 'node:fs';

const command = new URL('../dist/slipway.js', import.meta.url);

if (existsSync(command)) {
  await import(command.href);
} else {
  process.stderr.write('The command is not built yet. Build it: npm run prepare\n');
  process.exitCode = 1;
}
