import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { consoleFolder } from '#console/serving/console-folder.ts';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { startService } from '#local/start-service.ts';
import { buildConsole } from '#tools/client/build-console.ts';
import { exitWith } from '#tools/run-tool.ts';
import { findChromium } from '../find-chromium.ts';
import { playStory } from './play-story.ts';
import { shots } from './shots.ts';
import { steerJobIds } from './steer-job-ids.ts';
import { stopClock } from './stop-clock.ts';
import { now, story } from './story.ts';
import { takePicture } from './take-picture.ts';

/** `npm run pictures`: takes the pictures for docs/, from a month that is the same each time. */
await exitWith(async () => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'docs/pictures' },
      only: { type: 'string' },
      // Uses the console as built before, because others may be using it.
      built: { type: 'boolean', default: false },
    },
  });
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Install Chromium: apt-get install chromium');
  if (!values.built) await buildConsole(consoleFolder);
  const state = mkdtempSync(join(tmpdir(), 'slipway-pictures-'));
  process.env.SIM_HOUR_SECONDS = '3600';
  chooseSystems(readCatalog().systems);
  const clock = stopClock(new Date(story[0]?.at ?? now));
  const jobIds = steerJobIds();
  const service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory: state,
    runsJobs: true,
  });
  let browser: Browser | undefined;
  try {
    const played = await playStory({ service, clock, jobIds });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const folder = resolve(values.out);
    mkdirSync(folder, { recursive: true });
    for (const shot of shots.filter(({ name }) => name === (values.only ?? name))) {
      await takePicture(browser, shot, { consoleUrl: service.consoleUrl, folder, played });
    }
  } finally {
    await browser?.close();
    await service.close();
    rmSync(state, { recursive: true });
  }
  return 0;
});
