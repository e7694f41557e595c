import { resolve } from 'node:path';
import { exitWith } from '../run-tool.ts';
import { bundleCommand } from './bundle-client.ts';

/** `npm run command:build` writes the command as one executable file. */
await exitWith(async () => {
  const [, , file = 'client/dist/slipway'] = process.argv;
  await bundleCommand(resolve(file));
  process.stdout.write(`${file}\n`);
  return 0;
});
