import { describe, expect, it } from 'vitest';
import { startReceiver } from '../fixtures/receiver.ts';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn, submitBatch, submitJob } from './open-console.ts';

describe.runIf(findChromium())('notifications', () => {
  it('come by webhook, and a banner says that a system is down', async () => {
    const receiver = await startReceiver();
    const environment = { WEBHOOKS_TO_LOOPBACK: 'true', SIM_FAULTS: 'hpc_two:down' };
    const opened = await openConsole({}, environment);
    const { page } = opened;
    await signIn(opened);
    await page.goto('/console/webhooks/');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Description').fill('a bell');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Copy the secret now. It is shown only once.').waitFor();

    await submitJob(opened, { title: 'here' });
    for (const title of ['there', 'there too']) await submitJob(opened, { title, hpc: 'hpc_two' });
    await expect.poll(() => receiver.received.length).toBe(1);
    await page.getByRole('link', { name: 'a bell' }).click();
    const delivery = page.getByRole('row').filter({ hasText: 'job.ended' });
    await delivery.getByText('delivered').waitFor();
    expect(await delivery.innerText()).toMatch(/1\s+200 in \d+ ms/);

    const isDown = async () =>
      (await (await fetch(`${opened.url}/status/`)).text()).includes('down');
    await expect.poll(isDown).toBe(true);
    await page.reload();
    await page.getByText('hpc_two cannot be reached.').waitFor();
    await page.getByText('2 of your jobs are affected. Waiting jobs are handed over').waitFor();
  });

  it('of a batch come once, and those of requests are offered to administrators only', async () => {
    const receiver = await startReceiver();
    const opened = await openConsole({}, { WEBHOOKS_TO_LOOPBACK: 'true' });
    const { page } = opened;
    await signIn(opened);
    await page.goto('/console/webhooks/');
    expect(await page.getByLabel('somebody asks for quota').count()).toBe(0);
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('a job has ended').uncheck();
    await page.getByLabel('all jobs of a batch have ended').check();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('Copy the secret now. It is shown only once.').waitFor();
    await submitBatch(opened, { title: 'seed {index}', count: 3 });
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(JSON.stringify(receiver.received)).toContain('batch.ended');
    await page.getByRole('button', { name: 'Sign out' }).click();
    // Signing in leads back to the same page.
    await page.getByRole('button', { name: 'Administrator 100001' }).click();
    await page.getByLabel('somebody asks for quota').waitFor();
  });
});
