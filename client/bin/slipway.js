#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

const command = new URL('../dist/slipway.js', import.meta.url);

if (existsSync(command)) {
  // From Node 22 on: what was compiled once is not compiled again.
  module.enableCompileCache?.();
  await import(command.href);
} else {
  process.stderr.write('The command is not built yet. Build it: npm run prepare\n');
  process.exitCode = 1;
}
