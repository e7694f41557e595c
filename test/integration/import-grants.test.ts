import { expect, it } from 'vitest';
import { readBudget } from '#lib/budgets/budget.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { readOpenedProject } from '#lib/projects/opened-project-store.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { putLogin } from '#lib/users/logins/login-store.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { importGrants, readLogins } from '#tools/transfer/import-grants.ts';
import type { OutsideGrant } from '#tools/transfer/outside-grant.ts';
import { onEveryEngine, tableForEach } from '../engines/use-table.ts';

const hpc = 'hpc_two';
const now = new Date('2026-11-15T08:30:00Z');
const place = { hpc: systemName(hpc), project: projectName('lab_42') };
const ada = userId('306328');
const none = { created: 0, present: 0, different: 0, wrong: 0 };

const budget = {
  line: 2,
  id: 'c/lab_42/',
  hpc,
  project: 'lab_42',
  shared: true,
  seconds: 3600,
} as const;
const member = {
  line: 3,
  id: 'c/lab_42/ada',
  hpc,
  project: 'lab_42',
  shared: true,
  login: 'ada',
} as const;

onEveryEngine('grants of other systems on $name', (engine) => {
  const table = tableForEach(engine);

  async function bringIn(grants: readonly OutsideGrant[], dryRun = false) {
    const problems: string[] = [];
    const made: string[] = [];
    const counts = await importGrants(
      { table, catalog, dryRun },
      { source: 'slurm', grants, problems: [], choices: [] },
      (login) => (login === 'ada' ? ada : undefined),
      {
        onProblem: (line, message) => problems.push(`${line}: ${message}`),
        onGrant: (line, words) => made.push(`${line}: ${words}`),
      },
      now,
    );
    return { counts, problems, made };
  }

  it('open a shared project with its budget and members, once', async () => {
    const words = [
      '2: 1 charged hours for the budget of lab_42 on hpc_two (c/lab_42/)',
      '3: membership for user 306328 in lab_42 on hpc_two (c/lab_42/ada)',
    ];
    const first = { counts: { ...none, created: 2 }, problems: [], made: words };
    expect(await bringIn([budget, member], true)).toEqual(first);
    expect(await readOpenedProject(table, place)).toBeUndefined();
    expect(await bringIn([budget, member])).toEqual(first);
    const project = await readOpenedProject(table, place);
    expect(project).toMatchObject({ shared: true, closed: false });
    const again = await bringIn([budget, member]);
    expect(again).toEqual({ counts: { ...none, present: 2 }, problems: [], made: [] });
    const of = { hpc: place.hpc, name: place.project };
    expect(await readBudget(table, of)).toMatchObject({ time: { granted: 3600 } });
    expect(await readQuota(table, { user: ada, ...place })).toMatchObject({ time: { granted: 0 } });
  });

  it('that were changed at their source, or are missing there, change nothing', async () => {
    await bringIn([budget, member]);
    const { counts, problems } = await bringIn([{ ...budget, seconds: 7200 }]);
    expect(counts).toEqual({ ...none, different: 1 });
    expect(problems).toEqual([
      '2: The grant c/lab_42/ was imported with 3600 seconds and 0 kilobytes, and is 7200 and 0 now. Change the quota here.',
    ]);
    const of = { hpc: place.hpc, name: place.project };
    expect(await readBudget(table, of)).toMatchObject({ time: { granted: 3600 } });
  });

  it('add up, and last as long as the last of them', async () => {
    const grant = (id: string, end?: string): OutsideGrant => ({
      ...{ line: 2, id, hpc, project: 'proj_hpc_two_02', user: '7', seconds: 3600 },
      ...(end !== undefined && { end: new Date(end) }),
    });
    await bringIn([grant('1', '2027-06-30'), grant('2', '2027-12-31'), grant('3', '2027-01-31')]);
    const account = {
      user: userId('7'),
      hpc: systemName(hpc),
      project: projectName('proj_hpc_two_02'),
    };
    expect(await readQuota(table, account)).toMatchObject({
      time: { granted: 10_800 },
      validUntil: new Date('2027-12-31'),
    });
  });

  it('that do not fit are reported with their lines', async () => {
    const { counts, problems } = await bringIn([
      { ...member, login: 'bob' },
      { ...member, id: 'x', end: new Date('2026-11-01') },
      { ...member, id: 'y', start: new Date('2027-01-01') },
      { ...member, id: 'z', project: 'lab-x' },
      { ...member, id: 'z' },
      { ...member, id: 'v', hpc: 'hpc_nine' },
      { ...member, id: 'w', user: 'ada' },
    ]);
    expect(counts).toEqual({ ...none, wrong: 7 });
    expect(problems.map((each) => each.split('.')[0])).toEqual([
      "3: Nobody is known to have the account 'bob' on hpc_two",
      '3: It has ended on 2026-11-01',
      '3: It begins on 2027-01-01',
      "3: 'lab-x' is not a name for a project: lower-case letters, digits and _, beginning with a letter",
      '3: The grant z is also on line 3',
      expect.stringContaining("'hpc_nine'"),
      "3: 'ada' is not a user number",
    ]);
  });

  it('find the user of an account among those that are mapped', async () => {
    const login = { user: ada, hpc: place.hpc, name: 'ada' };
    await writeTransaction(table, [putLogin(login, undefined)]);
    const findUser = await readLogins(table);
    expect([findUser('ada', hpc), findUser('ada', 'hpc_one'), findUser('bob', hpc)]).toEqual([
      ada,
      undefined,
      undefined,
    ]);
  });
});
