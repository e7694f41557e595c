import { describe, expect, it } from 'vitest';
import { readMail, startMailServer } from '../fixtures/mail-server.ts';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn, submitJob } from './open-console.ts';

const patience = { timeout: 120_000 };

describe.runIf(findChromium())('somebody who wants to be told', () => {
  it('confirms an address, gets a mail and a notification, and unsubscribes', async () => {
    const server = await startMailServer();
    const mails = () => server.received.map(({ raw }) => readMail(raw));
    const opened = await openConsole({}, { SMTP_URL: server.url });
    const { page } = opened;
    await page.context().grantPermissions(['notifications']);
    await page.addInitScript(() => {
      // Chromium without a screen shows none, so the page keeps them.
      const shown: string[] = [];
      const Told = class extends EventTarget {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        onclick: unknown = null;
        constructor(text: string) {
          super();
          shown.push(text);
        }
      };
      Object.assign(globalThis, { Notification: Told, shownNotifications: shown });
    });
    await signIn(opened);
    await page.reload();
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('heading', { name: 'By mail' }).waitFor();
    await page.getByRole('button', { name: 'Turn on notifications' }).click();
    await page.getByText('On. You see a notification when a job ends').waitFor();
    await page.getByLabel('Your address').fill('ada@example.org');
    await page.getByLabel('a quota is running low').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Confirm ada@example.org.').waitFor();

    await expect.poll(() => mails().length, patience).toBe(1);
    const link = /http\S+\/mail\/confirm\/\S+/.exec(mails()[0]?.text ?? '')?.[0] ?? '';
    const reader = await page.context().newPage();
    reader.setDefaultTimeout(patience.timeout);
    await reader.goto(link);
    await reader.getByRole('button', { name: 'Confirm address' }).click();
    await reader.getByRole('heading', { name: 'Address confirmed' }).waitFor();
    await page.getByText('Mails go here.').waitFor();
    expect(await page.getByLabel('a quota is running low').isChecked()).toBe(false);

    await submitJob(opened, { title: 'a long night' });
    await expect.poll(() => mails().length, patience).toBe(2);
    const mail = mails()[1];
    expect(mail?.header('Subject')).toBe("Job 'a long night' was successful");
    expect(mail?.html).toContain(`${opened.url}/console/jobs/hpc_one/proj_hpc_one_01/`);
    await expect
      .poll(() => page.evaluate(() => Reflect.get(globalThis, 'shownNotifications')), patience)
      .toEqual(["Job 'a long night' has ended"]);

    const end = /http\S+\/mail\/unsubscribe\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    await reader.goto(end);
    await reader.getByRole('button', { name: 'Stop all mails' }).click();
    await reader.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    await page.reload();
    await page.getByText('You get a mail there with a link that confirms it.').waitFor();
    await reader.goto(link.replace(/pass=.*/, 'pass=old'));
    await reader.getByRole('button', { name: 'Confirm address' }).click();
    await reader.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });
});
