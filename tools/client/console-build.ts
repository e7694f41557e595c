import { consoleFolder } from '#console/serving/console-folder.ts';
import { exitWith } from '../run-tool.ts';
import { buildConsole } from './build-console.ts';

/** `npm run console:build` builds the console for the laptop edition. `npm ci` runs it. */
await exitWith(async () => {
  await buildConsole(consoleFolder);
  return 0;
});
