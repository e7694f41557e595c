import { consoleFolder } from '#console/serving/console-folder.ts';
import { buildConsole } from '../bundles/build-console.ts';
import { runTool } from '../run-tool.ts';

/** `npm run console:build`, which `npm ci` runs: the console, where the laptop edition serves it from. */
await runTool(async () => {
  await buildConsole(consoleFolder);
  return 0;
});
