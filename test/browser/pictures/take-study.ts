import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import { machineCatalog, readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { startService } from '#local/start-service.ts';
import { exitWith } from '#tools/run-tool.ts';
import { findChromium } from '../find-chromium.ts';
import { runStudy, showFile } from '../run-study.ts';
import { shrinkPng } from './shrink-png.ts';

/** Takes the picture of a job that this machine has really computed, after take-pictures.ts. */
await exitWith(async () => {
  chooseSystems(readCatalog(machineCatalog).systems);
  const state = mkdtempSync(join(tmpdir(), 'slipway-study-'));
  const service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory: state,
    runsJobs: true,
  });
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 1200, height: 620 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
    });
    await page.goto(service.consoleUrl);
    await page.getByRole('button', { name: 'Researcher 306328' }).click();
    await runStudy(page);
    await showFile(page, 'pattern.png');
    await page.getByRole('img', { name: 'pattern.png' }).waitFor();
    const png = shrinkPng(await page.screenshot({ caret: 'hide' }));
    writeFileSync('docs/pictures/console-study.png', png);
    process.stdout.write(`console-study.png, ${Math.round(png.length / 1000)} KB\n`);
  } finally {
    await browser.close();
    await service.close();
    rmSync(state, { recursive: true });
  }
  return 0;
});
