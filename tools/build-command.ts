import { resolve } from 'node:path';
import { bundleCommand } from './client/bundle-client.ts';
import { exitWith } from './run-tool.ts';

/** `npm run command:build` writes the command as one executable file. */
await exitWith(async () => {
  const [, , file = 'client/dist/slipway'] = process.argv;
  await bundleCommand(resolve(file));
  process.stdout.write(`${file}\n`);
  return 0;
});
