import { describe, expect, it } from 'vitest';
import { createClient } from '#client/src/node/index.ts';
import { findChromium } from './find-chromium.ts';
import { findProblems } from './find-problems.ts';
import { openConsole, signIn } from './open-console.ts';

const place = { hpc: 'hpc_one', project_name: 'lab_42' };
const page = `/console/projects/${place.hpc}/${place.project_name}/`;

describe.runIf(findChromium())('the statement of a project', () => {
  it('is shown to its leader, and printed on white without navigation', async () => {
    const console = await openConsole({ colorScheme: 'dark' });
    const as = async (user: string, administrator = false) =>
      createClient({ baseUrl: console.url, token: await console.tokenOf(user, administrator) });
    const administrator = await as('100001', true);
    const body = { reason: 'a new lab' };
    await administrator.openProject({
      hpc: place.hpc,
      any_project_name: place.project_name,
      body,
    });
    const amounts = { set: { time: 36_000_000, space: 100_000_000 } };
    await administrator.changeBudget({ ...place, body: { ...body, ...amounts } });
    await administrator.setLeaders({ ...place, body: { ...body, leaders: ['306328'] } });
    const leader = await as('306328');
    for (const [user, hours] of [
      ['306330', 500],
      ['306331', 120],
    ] as const) {
      const add = { time: hours * 3600, space: 1_000_000 };
      await leader.grantQuota({ ...place, user_id: user, body: { ...body, add } });
    }
    const member = await as('306330');
    const job = await member.submit({
      ...place,
      command: 'hostname',
      nodes: 2,
      cores: 4,
      runtime: 1,
      title: 'a first job',
    });
    await member.waitFor(job);

    await signIn(console);
    await console.page.goto(page);
    await console.page.getByRole('link', { name: 'Statement', exact: true }).click();
    await console.page.getByRole('heading', { name: 'Statement of lab_42' }).waitFor();
    await console.page.getByRole('row', { name: /^Budget of the project/ }).waitFor();
    expect(await findProblems(console.page), 'a statement').toEqual([]);
    await console.page.getByText(/, not final yet$/).waitFor();

    // On a phone, all amounts are inside of the page.
    await console.page.setViewportSize({ width: 390, height: 844 });
    const cut = await console.page
      .locator('td')
      .evaluateAll((cells) => cells.filter((cell) => cell.getBoundingClientRect().right > 390));
    expect(cut.length).toBe(0);
    expect(await findProblems(console.page), 'a statement on a phone').toEqual([]);
    await console.page.emulateMedia({ media: 'print' });
    expect(await console.page.locator('nav').first().isVisible()).toBe(false);
    const ground = await console.page.evaluate(
      () => getComputedStyle(document.body).backgroundColor,
    );
    expect(ground).toBe('rgb(255, 255, 255)');
  });
});
