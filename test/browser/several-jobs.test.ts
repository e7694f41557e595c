import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn, submitJob } from './open-console.ts';

describe.runIf(findChromium())('several jobs', () => {
  it('can be selected with keys, cancelled with undo, downloaded and deleted', async () => {
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

    // Running jobs show their progress; waiting and ended ones do not.
    await row('long three')
      .getByRole('img', { name: / of 20 h$/ })
      .waitFor();
    await row('short one').getByText('done').waitFor();
    await row('short two').getByText('done').waitFor();
    expect(await page.getByRole('img', { name: /^Ran / }).count()).toBe(3);

    // The newest jobs come first: three long ones and one short one.
    await keyboard.press('j');
    await keyboard.press('x');
    for (const _ of 'abc') await keyboard.press('j');
    await keyboard.press('Shift+X');
    await page.getByText('4 jobs selected').waitFor();
    await page.getByRole('button', { name: 'Cancel 3 jobs' }).click();
    await page.getByText('3 jobs will stop').waitFor();
    await page.getByText('1 job will stay unchanged: already ended.').waitFor();
    await page.getByRole('button', { name: 'Cancel jobs' }).click();
    await page.getByText('3 jobs will be cancelled in a moment.').waitFor();
    await keyboard.press('u');
    await page.getByText('Undone. Nothing was changed.').waitFor();
    await row('long three').getByText('running').waitFor();

    await page.getByRole('checkbox', { name: 'Select long three' }).click();
    await page.getByRole('checkbox', { name: 'Select long one' }).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Cancel 3 jobs' }).click();
    await page.getByRole('button', { name: 'Cancel jobs' }).click();
    await page.getByText('3 jobs cancelled.').waitFor();
    for (const title of ['long one', 'long two', 'long three']) {
      await row(title).getByText('cancelled').waitFor();
    }

    await page.getByRole('checkbox', { name: 'Select short two' }).click();
    await page.getByRole('checkbox', { name: 'Select short one' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download files' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('slipway-2-jobs.zip');
    const zip = readFileSync(await saved.path()).toString('latin1');
    expect(zip).toMatch(/short-one-\w{8}\/stdout/);
    expect(zip).toMatch(/short-two-\w{8}\/listing\.txt/);
    await page.getByRole('button', { name: 'Delete 2 jobs' }).click();
    await page.getByText('will be deleted with all files').waitFor();
    await page.getByRole('button', { name: 'Delete jobs' }).click();
    await page.getByText('2 jobs deleted.').waitFor();

    // A sorted list is one address, and Back returns to it.
    await page.getByRole('navigation', { name: 'Sort by' }).getByText('Title').click();
    await expect.poll(() => page.url()).toContain('sort=title');
    await expect
      .poll(() => page.locator('.rows .title').allTextContents())
      .toEqual(['long one', 'long three', 'long two', 'short one', 'short two']);

    // The page of a job says what it asked for, and so does the form, from another program, too.
    await row('long two').getByRole('link').click();
    await page.getByText('2 nodes with 1 core each').waitFor();
    await expect.poll(() => page.title()).toBe('⊘ long two · Slipway');
    await page.getByRole('link', { name: 'Run again' }).click();
    await expect.poll(() => page.getByLabel('Command').inputValue()).toBe('ls');
    expect(await page.getByLabel('Nodes').inputValue()).toBe('2');
    expect(await page.getByLabel('Time').inputValue()).toBe('20 h');
    expect(await page.getByLabel('Title').inputValue()).toBe('long two');

    // A form with a name is a template, on the page of a job and on the form.
    await page.goBack();
    await page.getByRole('button', { name: 'Save as a template…' }).click();
    await page.getByLabel('Name').fill('my study');
    await page.getByRole('button', { name: 'Save template' }).click();
    await page.getByRole('link', { name: 'Run again' }).click();
    await page.getByLabel('Command').waitFor();

    // A reload keeps what was typed. Back returns to the job, and to the sorted list.
    await page.getByLabel('Nodes').fill('999');
    await page.getByText('Enter at most 512, the limit of hpc_one.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Nodes').inputValue()).toBe('999');
    await page.goBack();
    await page.goBack();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain('long two');
    await page.keyboard.press('n');
    await page.getByRole('link', { name: 'my study' }).click();
    await expect.poll(() => page.getByLabel('Time').inputValue()).toBe('20 h');
    await page.getByRole('button', { name: 'Forget “my study”' }).click();
    await page.getByRole('navigation', { name: 'Templates' }).waitFor({ state: 'hidden' });
  });
});
