import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn, submitJob } from './open-console.ts';

describe.runIf(findChromium())('several jobs', () => {
  it('are chosen with keys, cancelled unless it is undone, downloaded and deleted', async () => {
    const opened = await openConsole();
    const { page } = opened;
    const { keyboard } = page;
    for (const title of ['short one', 'short two']) await submitJob(opened, { title });
    for (const title of ['long one', 'long two', 'long three']) {
      await submitJob(opened, { title, runtime: 20 });
    }
    await signIn(opened);
    await page.goto('/console/jobs/');
    await page.getByText('5 jobs').waitFor();
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title });

    // What runs shows how far it is; what only waits or has ended does not.
    await row('long three')
      .getByRole('img', { name: / of 20 h$/ })
      .waitFor();
    await row('short one').getByText('done').waitFor();
    await row('short two').getByText('done').waitFor();
    expect(await page.getByRole('img', { name: /^Ran / }).count()).toBe(3);

    // The newest first: three long ones and one short one.
    await keyboard.press('j');
    await keyboard.press('x');
    for (const _ of 'abc') await keyboard.press('j');
    await keyboard.press('Shift+X');
    await page.getByText('4 jobs selected').waitFor();
    await page.getByRole('button', { name: 'Cancel 3' }).click();
    await page.getByText('3 jobs are ended on the system').waitFor();
    await page.getByText('1 job has ended already and stays as it is.').waitFor();
    await page.getByRole('button', { name: 'Cancel them' }).click();
    await page.getByText('3 jobs will be cancelled in a moment.').waitFor();
    await keyboard.press('u');
    await page.getByText('Nothing was done.').waitFor();
    await row('long three').getByText('running').waitFor();

    await page.getByRole('checkbox', { name: 'Select long three' }).click();
    await page.getByRole('checkbox', { name: 'Select long one' }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Cancel 3' }).click();
    await page.getByRole('button', { name: 'Cancel them' }).click();
    await page.getByText('3 jobs are cancelled.').waitFor();
    for (const title of ['long one', 'long two', 'long three']) {
      await row(title).getByText('cancelled').waitFor();
    }

    await page.getByRole('checkbox', { name: 'Select short two' }).click();
    await page.getByRole('checkbox', { name: 'Select short one' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('slipway-2-jobs.zip');
    const zip = readFileSync(await saved.path()).toString('latin1');
    expect(zip).toMatch(/short-one-\w{8}\/stdout/);
    expect(zip).toMatch(/short-two-\w{8}\/listing\.txt/);
    await page.getByRole('button', { name: 'Delete 2' }).click();
    await page.getByText('the files are removed for good').waitFor();
    await page.getByRole('button', { name: 'Delete them' }).click();
    await page.getByText('2 jobs are deleted.').waitFor();

    // What the service knows of a job that another program submitted.
    await row('long two').getByRole('link').click();
    await page.getByRole('link', { name: 'Run again' }).click();
    await page.getByText('its command, its cores and its input: fill them in.').waitFor();
    expect(await page.getByLabel('Nodes').inputValue()).toBe('2');
    expect(await page.getByLabel('Time').inputValue()).toBe('20 h');
    expect(await page.getByLabel('Title').inputValue()).toBe('long two');
  });
});
