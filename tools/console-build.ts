import { consoleFolder } from '#console/serving/console-folder.ts';
import { buildConsole } from './client/build-console.ts';
import { exitWith } from './run-tool.ts';

/** `npm run console:build`, which `npm ci` runs: the console, where the laptop edition serves it from. */
await exitWith(async () => {
  await buildConsole(consoleFolder);
  return 0;
});
