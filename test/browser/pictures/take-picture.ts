import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Played } from './play-story.ts';
import type { Shot } from './shots.ts';
import { shrinkPng } from './shrink-png.ts';
import { lab, now } from './story.ts';

/** Long, for slow machines. */
const patienceMs = 120_000;

interface Studio {
  readonly consoleUrl: string;
  readonly folder: string;
  readonly played: readonly Played[];
}

export async function takePicture(
  browser: Browser,
  shot: Shot,
  { consoleUrl, folder, played }: Studio,
): Promise<void> {
  const { name, size = { width: 1280, height: 800 }, colours = 'light' } = shot;
  const context = await browser.newContext({
    baseURL: consoleUrl,
    viewport: size,
    colorScheme: colours,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  await page.goto(consoleUrl);
  await signInAs(page, shot.as);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.goto(`/console/${typeof shot.page === 'string' ? shot.page : shot.page(played)}`);
  await page.getByText(shot.shows).first().waitFor();
  await shot.prepare?.(page);
  await page.waitForLoadState('networkidle');
  const png = shrinkPng(await page.screenshot({ caret: 'hide' }));
  writeFileSync(join(folder, `${name}.png`), png);
  process.stdout.write(`${name}.png, ${Math.round(png.length / 1000)} KB\n`);
  await context.close();
}

async function signInAs(page: Page, who: Shot['as']): Promise<void> {
  if (who === 'leader') {
    await page.getByLabel('Another user').fill(lab.leader);
    return page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  const name = who === 'administrator' ? 'Administrator 100001' : 'Researcher 306328';
  return page.getByRole('button', { name }).click();
}
