import { consoleFolder } from '#console/serving/console-folder.ts';
import { buildConsole } from '#tools/client/build-console.ts';
import { findChromium } from '../browser/find-chromium.ts';

/** What is tested is what is in the sources, whenever it was built last. */
export default async function setUp(): Promise<void> {
  await buildConsole(consoleFolder);
  if (findChromium() === undefined) {
    process.stdout.write(
      'There is no Chromium here, so the console is not tried in a browser (apt-get install chromium).\n',
    );
  }
}
