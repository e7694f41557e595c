import { describe, expect, it } from 'vitest';
import { readDay, writeDay } from '#client/src/format/times/day.ts';
import { createClient } from '#client/src/node/index.ts';
import { findChromium } from './find-chromium.ts';
import { findProblems } from './find-problems.ts';
import { type OpenedConsole, openConsole, signIn, signInAsAdministrator } from './open-console.ts';

const hpc = 'hpc_one';
const project = 'lab_42';
const member = '306330';
const pageOfProject = `/console/projects/${hpc}/${project}/`;

describe.runIf(findChromium())('a leader of a project', () => {
  it('does the everyday tasks', async () => {
    const console = await openConsole({ bypassCSP: true });
    const { page } = console;
    const open = { hpc, any_project_name: project, body: { reason: 'a new lab' } };
    await (await clientOf(console, '100001', true)).openProject(open);

    // An administrator gives the project a budget and a leader.
    await signInAsAdministrator(console);
    await page.goto(`/console/admin/projects/${hpc}/${project}/`);
    await page.getByText('No budget yet.').waitFor();
    await page.getByRole('button', { name: 'Set budget…' }).click();
    await page.getByLabel('Time').fill('100');
    await page.getByLabel('Space').fill('10 GB');
    await page.getByLabel('Until').fill('2 years');
    await page.getByText('and leaders of the project can read it.').waitFor();
    await act(console, 'Set budget', 'the first year');
    await page.getByText('100 of 100 node-hours left').waitFor();
    await page.getByRole('button', { name: 'Change leaders…' }).click();
    await page.getByText('The audit keeps it, which administrators can read.').waitFor();
    await page.getByLabel('Leaders', { exact: true }).fill('306328 ada');
    await act(console, 'Set leaders', 'the professor');
    await page.getByText("'ada' is not a user number.").waitFor();
    await page.getByLabel('Leaders', { exact: true }).fill('306328');
    await page.getByRole('button', { name: 'Set leaders', exact: true }).click();
    await page.getByText('Led by 306328.').waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();

    // The leader sees the budget, what remains and that nobody is a member.
    await signIn(console);
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByText('100 of 100 node-hours left').waitFor();
    expect(await page.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0);
    expect(await findProblems(page, { minor: true }), 'the projects').toEqual([]);
    await page.getByRole('link', { name: project, exact: true }).click();
    await page.getByText('No members yet.').waitFor();
    await page.getByText('No open requests.').waitFor();
    expect(await findProblems(page), 'a project without members').toEqual([]);

    // Invites a member, and shares time out.
    await page.getByRole('button', { name: 'Invite a member…' }).click();
    await page.getByLabel('User').fill(member);
    await act(console, 'Invite member', 'starts her thesis');
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: member }) });
    await waitForMember(console, '0 of 0 node-hours left');
    await row.getByRole('button', { name: 'Give…' }).click();
    await page.getByText('which has 100 node-hours left').waitFor();
    await page.getByLabel('Time').fill('500');
    await page.getByLabel('Space').fill('1 GB');
    await act(console, 'Give time', 'the first experiments');
    await page.getByText('500 node-hours were requested, but only 100 node-hours remain').waitFor();
    await page.getByLabel('Time').fill('20');
    // The refusal was of another amount.
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Give time', exact: true }).click();
    await waitForMember(console, '20 of 20 node-hours left');
    await page.getByText('80 of 100 node-hours left').waitFor();
    // Time alone comes with space, so that a job with a folder is accepted.
    await row.getByRole('button', { name: 'Give…' }).click();
    await page.getByText('for example 10 GB; empty for none').waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();
    await page.getByRole('button', { name: 'Invite a member…' }).click();
    await page.getByText('empty gives 9 GB with the first time').waitFor();
    await page.getByLabel('User').fill('306331');
    await page.getByLabel('Time').fill('1');
    await act(console, 'Invite member', 'helps with the data');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const administrator = await clientOf(console, '100001', true);
    const invited = { user_id: '306331', hpc, project_name: project };
    const { usage } = await administrator.getQuotaOfUser({ ...invited, expand: 'usage' });
    expect(usage?.space.granted).toBe(9_000_000);
    await administrator.removeQuota({ ...invited, body: { reason: 'only a try' } });

    // Takes time back, and changes the end of the share.
    await row.getByRole('button', { name: 'Take back…' }).click();
    await page.getByLabel('Time').fill('500');
    await act(console, 'Take back', 'needed elsewhere');
    await page.getByText(`${member} has only 20 node-hours and 1 GB of space here.`).waitFor();
    await page.getByLabel('Time').fill('5');
    // A problem of a field that the dialog does not have is shown too.
    const errors = [{ location: 'body', name: 'set.time', message: 'It must be at least 0.' }];
    const problem = { type: 'urn:slipway:problem:invalid-request', title: 'Not valid', errors };
    await page.route('**/admin/quotas/**', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({
            status: 400,
            json: { ...problem, status: 400, detail: '', instance: 'r' },
          }),
    );
    await page.getByRole('button', { name: 'Take back', exact: true }).click();
    await page.getByText('set.time: It must be at least 0.').waitFor();
    await page.unroute('**/admin/quotas/**');
    await page.getByRole('button', { name: 'Take back', exact: true }).click();
    await waitForMember(console, '15 of 15 node-hours left');
    await row.getByRole('button', { name: 'Extend…' }).click();
    await page.getByLabel('Last day').fill('3 months');
    // The member had no end until now.
    await page.getByText('This shortens the quota.').waitFor();
    await act(console, 'Set end date', 'until the spring');
    const end = readDay('3 months', new Date()) ?? '';
    await waitForMember(console, writeDay(end));

    // There is no job to cancel, and nothing is lost to the project.
    await row.getByRole('button', { name: 'Remove…' }).click();
    await page.getByText('(15 of 15 node-hours left) goes back to the budget.').waitFor();
    await page.getByLabel('Also remove the jobs: delete all ended jobs').waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();

    // Decides a request of the project.
    const theirs = await clientOf(console, member);
    const asked = { hpc, project_name: project };
    await theirs.askForMore({ body: { ...asked, time: 36_000, reason: 'a second experiment' } });
    await page.reload();
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByText('The amount is added to the quota in lab_42 at once.').waitFor();
    expect(await page.getByText('not taken from the budget').count()).toBe(0);
    await act(console, 'Approve request', 'as planned');
    await page.getByText('No open requests.').waitFor();
    await waitForMember(console, '25 of 25 node-hours left');
    expect(await findProblems(page), 'a project with a member').toEqual([]);

    // Sees the running jobs and what the member used this month.
    const job = { ...asked, command: 'ls', nodes: 1, cores: 1 };
    const short = await theirs.submit({ ...job, runtime: 0.1, title: 'a short one' });
    await theirs.waitFor(short);
    await theirs.submit({ ...job, runtime: 20, title: 'a long one' });
    await page.getByRole('link', { name: 'Show jobs' }).click();
    await page.getByRole('link', { name: 'active', exact: true }).click();
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('heading', { level: 1 }).waitFor();
        return page.getByRole('link', { name: 'a long one' }).isVisible();
      })
      .toBe(true);
    expect(await page.getByRole('link', { name: 'a short one' }).count()).toBe(0);
    await page.getByRole('link', { name: 'a long one' }).click();
    await page.getByRole('button', { name: 'Cancel job…' }).waitFor();
    await page.goto(pageOfProject);
    await page.getByRole('link', { name: 'Show usage' }).click();
    await page.getByRole('heading', { name: `Usage of ${project}` }).waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        const used = page.getByRole('row').filter({ hasText: member });
        await used.or(page.getByText('No usage in this period.')).first().waitFor();
        return used.isVisible();
      })
      .toBe(true);
    await page.getByRole('link', { name: member }).click();
    await page.getByRole('cell', { name: 'settle', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText('Usage by day, in node-hours').waitFor();

    // Removes the member with their jobs: what is left of the share goes back.
    await page.getByRole('link', { name: project, exact: true }).click();
    await row.getByRole('button', { name: 'Remove…' }).click();
    await page.getByLabel('Also remove the jobs: cancel 1 active job').check();
    await page.getByLabel('Reason').fill('she has left');
    const remove = page.getByRole('button', { name: 'Remove quota and jobs' });
    await expect
      .poll(async () => {
        // A job that is being cancelled keeps the quota for a moment.
        if (await remove.isEnabled({ timeout: 1000 }).catch(() => false)) await remove.click();
        return page.getByRole('dialog').count();
      })
      .toBe(0);
    await page.getByText(/^(79|[89]\d)(\.\d+)? of 100 node-hours left/).waitFor();
    await page.getByRole('link', { name: 'Ledger of the budget' }).click();
    await page.getByRole('columnheader', { name: 'Member' }).waitFor();

    // Other projects are as closed as to anybody.
    await page.goto(`/console/projects/${hpc}/proj_hpc_one_01/`);
    await page.getByText(/^Only leaders of the project/).waitFor();
  });
});

async function act({ page }: OpenedConsole, button: string, reason: string): Promise<void> {
  await page.getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Waits for a text in the list of members, which is a moment behind. */
async function waitForMember({ page }: OpenedConsole, text: string): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const cell = page.getByRole('cell', { name: text }).first();
  await expect
    .poll(async () => {
      if (await cell.isVisible()) return true;
      await page.reload();
      await page.getByText('No members yet.').or(page.getByRole('table')).first().waitFor();
      return cell.isVisible();
    })
    .toBe(true);
}

async function clientOf({ url, tokenOf }: OpenedConsole, user: string, administrator = false) {
  return createClient({ baseUrl: url, token: await tokenOf(user, administrator) });
}
