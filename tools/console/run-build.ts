import { consoleFolder } from '#console/serving/console-folder.ts';
import { runTool } from '../run-tool.ts';
import { buildConsole } from './build-console.ts';

/** `npm run console:build`, which `npm ci` runs: the console, where the laptop edition serves it from. */
await runTool(async () => {
  await buildConsole(consoleFolder);
  return 0;
});
