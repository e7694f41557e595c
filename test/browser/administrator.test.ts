import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '#client/src/node/index.ts';
import { findChromium } from './find-chromium.ts';
import {
  askForMore,
  openConsole,
  signInAsAdministrator,
  waitForStage,
  waitUntilLoaded,
} from './open-console.ts';

describe.runIf(findChromium())('an administrator', () => {
  it('approves less than was asked for, and declines with a reason', async () => {
    const console = await openConsole();
    const { page } = console;
    await askForMore(console, { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', time: 1_800_000 });
    await askForMore(console, { hpc: 'hpc_two', project_name: 'proj_hpc_two_01', time: 3600 });
    await signInAsAdministrator(console);
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page
      .getByRole('heading', { name: '306328 Ada Lovelace asks for 500 node-hours' })
      .waitFor();
    await page.getByRole('button', { name: 'Approve…' }).first().click();
    await page.getByText('306328 has 5,000 of 5,000 node-hours left there.').waitFor();
    await page.getByLabel('Time').fill('200');
    await page.getByRole('button', { name: 'Approve less' }).click();
    await page.getByText('Enter a reason. The audit keeps it.').waitFor();
    await page.getByLabel('Reason').fill('half of the course');
    await page.getByRole('button', { name: 'Approve less' }).click();
    await page.getByText('Request approved.').waitFor();

    // The list is refreshed a moment later.
    const decline = page.getByRole('button', { name: 'Decline…' });
    await expect.poll(() => decline.count()).toBe(1);
    await decline.click();
    await page.getByLabel('Reason').fill('there is enough left');
    await page.getByRole('button', { name: 'Decline request' }).click();
    await page.getByText('No open requests.').waitFor();
    await page.getByRole('link', { name: 'approved' }).click();
    await page.getByText('200 node-hours granted. half of the course').waitFor();
    await page.goto('/console/admin/people/306328/hpc_one/proj_hpc_one_01/');
    const why = page.getByText('request: half of the course');
    expect(await why.getAttribute('title')).toMatch(/^request 306328-[0-9a-f]{32}: half/);

    await page.getByLabel('Find a person, job or project').fill('306328');
    await page.keyboard.press('Enter');
    await page.getByText('5,200 of 5,200 node-hours left').waitFor();
    await page.getByText('5,000 → 5,200 node-hours').waitFor();
  });

  it('reads before approving that a budget stays as it is, and that somebody has no space', async () => {
    const console = await openConsole();
    const { page } = console;
    const place = { hpc: 'hpc_one', project_name: 'lab_42' };
    const token = await console.tokenOf('100001', true);
    const service = createClient({ baseUrl: console.url, token });
    const body = { reason: 'a new lab' };
    await service.openProject({ hpc: 'hpc_one', any_project_name: 'lab_42', body });
    await service.changeBudget({ ...place, body: { ...body, set: { time: 36_000, space: 1000 } } });
    await askForMore(console, { ...place, time: 3600 });
    await signInAsAdministrator(console);
    await page.goto('/console/admin/requests/');
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByText('An administrator’s grant is not taken from the budget.').waitFor();
    const warning = page.getByText(
      '306328 has no space there, so jobs with input will be refused.',
    );
    await warning.waitFor();
    await page.getByLabel('Space').fill('1 GB');
    await warning.waitFor({ state: 'detached' });
  });

  it('finds people by their names, in the list and from every page', async () => {
    const console = await openConsole();
    const { page } = console;
    await askForMore(console, { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', time: 3600 });
    await signInAsAdministrator(console);
    await page.goto('/console/admin/people/');
    const rows = page.getByRole('row');
    await rows.filter({ hasText: '306328 Ada Lovelace' }).waitFor();
    await page.getByLabel('Search by number, name or sign-in').fill('LOVEL');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Search by number, name or sign-in').fill('nobody');
    await expect.poll(() => rows.filter({ hasText: 'Ada' }).count()).toBe(0);
    await page.getByLabel('Find a person, job or project').fill('lovel');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '306328', exact: true }).waitFor();
    await page.getByText('Ada Lovelace, first seen').waitFor();
  });

  it('exports a person, and erases one whose number was typed', async () => {
    const console = await openConsole();
    const { page, url } = console;
    await fetch(`${url}/quotas/`, { headers: { authorization: `Bearer ${console.token}` } });
    await signInAsAdministrator(console);
    await page.goto('/console/admin/people/306328/');
    await page.getByText('Ada Lovelace, first seen').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as JSON' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('306328.json');
    const text = await readFile(await saved.path(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ user: { name: 'Ada Lovelace' } });

    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByLabel('Reason').fill('asks for it');
    await page.getByLabel('Number of the user').fill('306329');
    const typed = page.locator('.field.wrong', { hasText: 'Type 306328 to confirm.' });
    await page.getByRole('button', { name: 'Erase person' }).click();
    await typed.waitFor();
    await page.getByLabel('Number of the user').fill('306328');
    // Sooner than they are read again by themselves.
    const accounts = page.waitForRequest(/\/admin\/users\/306328\/accounts\/$/, {
      timeout: 10_000,
    });
    await page.getByRole('button', { name: 'Erase person' }).click();
    await accounts;
    await page
      .getByText(/^The data of 306328 are erased/)
      .first()
      .waitFor();
    await page.getByText(/^Erased on \d+ \w+ \d{4}\. Jobs/).waitFor();
    expect(await page.getByText('Ada Lovelace, first seen').count()).toBe(0);
  });

  it('grants with a sentence and with a pasted table, after a preview, and only once', async () => {
    const console = await openConsole();
    const { page } = console;
    await signInAsAdministrator(console);
    await page.goto('/console/admin/grants/');
    await page.getByLabel('User').fill('306328');
    await page.getByLabel('Time').fill('500 node-hours');
    await page.getByLabel('Project', { exact: true }).selectOption('proj_hpc_one_01');
    await page.getByLabel('Until').fill('2 years');
    await page.getByText(/^Preview: 5,000 → 5,500 node-hours, no end → /).waitFor();
    await page.getByLabel('Reason').first().fill('a course in spring');
    // An error is of what was sent, so it goes with the next word.
    await page.route('**/admin/quotas/', (route) => route.fulfill({ status: 403, json: {} }));
    await page.getByRole('button', { name: 'Give quota' }).click();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/admin/quotas/');
    await page.getByLabel('Reason').first().fill('a course in spring, by Kim');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Give quota' }).click();
    await page.getByText(/^Done for 306328: 5,000 → 5,500 node-hours/).waitFor();

    const bulk = page.getByRole('region', { name: 'Grant many at once' });
    await bulk.getByLabel('Table').fill('user,project,node_hours\n306328,proj_hpc_one_01,much');
    await bulk.getByRole('button', { name: 'Preview' }).click();
    await bulk.getByText('Line 2: node_hours: Write a number of hours').waitFor();
    await bulk
      .getByLabel('Table')
      .fill('user,project,node_hours\n306328,proj_hpc_one_01,100\n306329,proj_hpc_two_01,-9000');
    await bulk.getByRole('button', { name: 'Preview' }).click();
    await bulk.getByText('Preview: 1 granted, 1 refused.').waitFor();
    await bulk.getByText('Nothing has changed yet.').waitFor();
    await bulk.getByRole('cell', { name: '5,500 → 5,600 node-hours' }).waitFor();
    await bulk.getByText('Some rows have no reason. Enter one for them.').waitFor();
    await bulk.getByLabel('Reason').fill('a summer school');
    await bulk.getByRole('button', { name: 'Grant 1 row' }).click();
    await bulk.getByRole('cell', { name: 'granted', exact: true }).waitFor();

    // The refused row is corrected in place, and the granted row is not granted again.
    await bulk
      .getByLabel('Table')
      .fill('user,project,node_hours\n306328,proj_hpc_one_01,100\n306329,proj_hpc_two_01,1');
    await bulk.getByRole('button', { name: 'Preview' }).click();
    await bulk.getByText('Preview: 1 unchanged, 1 granted.').waitFor();
    await bulk.getByRole('button', { name: 'Grant 1 row' }).click();
    await bulk.getByRole('cell', { name: 'unchanged' }).waitFor();
    await bulk.getByRole('cell', { name: 'granted', exact: true }).waitFor();
    await page.goto('/console/admin/projects/hpc_one/proj_hpc_one_01/');
    await page.getByText('5,600 of 5,600 node-hours left').waitFor();
  });

  it('bans and unbans, cancels a job, and reads the audit and a report', async () => {
    const console = await openConsole();
    const { page } = console;
    const jobId = await submitAsResearcher(console.url, console.token);
    await signInAsAdministrator(console);
    await page.goto('/console/admin/people/306328/');
    await page.getByRole('button', { name: 'Ban user…' }).click();
    await page.getByText('can still download files and cancel jobs').waitFor();
    await page.getByLabel('Reason').fill('mines coins');
    await page.getByRole('button', { name: 'Ban user', exact: true }).click();
    await page.getByText('Banned everywhere: mines coins').first().waitFor();
    await page.getByRole('button', { name: 'Lift ban…' }).click();
    await page.getByLabel('Reason').fill('it was somebody else');
    await page.getByRole('button', { name: 'Lift ban', exact: true }).click();
    await page.getByText('No bans. 306328 can submit wherever they have a quota.').waitFor();

    await page.getByRole('button', { name: 'Renewal…' }).first().click();
    await page.getByLabel('Period').selectOption('quarterly');
    await page.getByLabel('Time of each period').fill('100');
    await page.getByLabel('Reason').fill('the share of the group');
    await page.getByRole('button', { name: 'Set renewal' }).click();
    await page.getByText(/^Renews quarterly to 100 node-hours, next on/).waitFor();

    await expect
      .poll(async () => {
        await page.getByLabel('Find a person, job or project').fill(jobId);
        await page.keyboard.press('Enter');
        return page.getByRole('heading', { name: 'too long' }).isVisible();
      })
      .toBe(true);
    await page.getByRole('button', { name: 'Cancel job…' }).click();
    await page.getByLabel('Reason').fill('the system is needed');
    await page.getByRole('button', { name: 'Cancel job', exact: true }).click();
    await waitForStage(page, 'cancelled');

    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('cell', { name: 'the system is needed' }).waitFor();
    await page.getByLabel('Act', { exact: true }).selectOption('user unbanned');
    await page.getByRole('cell', { name: 'it was somebody else' }).waitFor();
    expect(page.url()).toContain('kind=user-unbanned');
    expect(await page.getByRole('row').count()).toBe(2);

    await page.goto('/console/admin/reports/?by=user');
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Reports' }).waitFor();
        const row = page
          .getByRole('row')
          .filter({ has: page.getByRole('link', { name: '306328' }) });
        await row.or(page.getByText('No usage in this period.')).first().waitFor();
        return row.isVisible();
      })
      .toBe(true);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await saving).suggestedFilename()).toMatch(/^usage-by-user-.*\.csv$/);
    await page.getByRole('link', { name: 'by day' }).click();
    // A screen reader gets the chart as a table.
    await page.getByText('Usage by day, in node-hours').waitFor();
    await page.getByLabel('Divided by').selectOption('system');
    await page.getByText('Show as a table').click();
    await page.getByRole('figure').getByRole('columnheader', { name: /^hpc_/ }).first().waitFor();
  });

  it('opens and closes a project, on a phone', async () => {
    const console = await openConsole({ viewport: { width: 320, height: 640 } });
    const { page } = console;
    await signInAsAdministrator(console);
    await page.goto('/console/admin/projects/');
    await page.getByRole('button', { name: 'Open a project…' }).click();
    await page.getByLabel('Name').fill('Course');
    await page.getByLabel('Reason').fill('a course');
    await page.getByRole('button', { name: 'Open project' }).click();
    await page.getByText('Start with a lower-case letter').waitFor();
    await page.getByLabel('Name').fill('course_2027');
    await page.getByRole('button', { name: 'Open project' }).click();
    await page.getByRole('link', { name: 'course_2027' }).waitFor();
    await page.getByRole('button', { name: 'Close…' }).click();
    await page.getByText('Active jobs run to their end').waitFor();
    await page.getByLabel('Reason').fill('it is over');
    await page.getByRole('button', { name: 'Close project' }).click();
    await page.getByText('closed', { exact: true }).waitFor();
    for (const room of [
      'requests',
      'people',
      'people/306328',
      'grants',
      'jobs',
      'projects',
      'reports',
      'audit',
      'systems',
    ]) {
      await page.goto(`/console/admin/${room}/`);
      await waitUntilLoaded(page);
      const beyond = await page.evaluate<number>(
        'document.documentElement.scrollWidth - innerWidth',
      );
      expect({ room, beyond }).toEqual({ room, beyond: 0 });
    }
  });
});

async function submitAsResearcher(url: string, token: string): Promise<string> {
  const response = await fetch(`${url}/jobs/hpc_one/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      payload: JSON.stringify({
        command: 'sleep 1000',
        node_number: 1,
        core_number: 1,
        runtime: 24,
        title: 'too long',
      }),
      'content-disposition': 'attachment; filename=input.zip',
    },
  });
  expect(response.status).toBe(201);
  const job: unknown = await response.json();
  if (typeof job !== 'object' || !job || !('job_id' in job))
    throw new Error('No job was returned.');
  return String(job.job_id);
}
