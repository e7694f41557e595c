import { expect, it } from 'vitest';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { setLeaders } from '#lib/budgets/leaders.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { changePreferences } from '#lib/mail/change-preferences.ts';
import { mailStatements } from '#lib/mail/mail-statements.ts';
import { readMailbox } from '#lib/mail/mailbox.ts';
import type { Wish } from '#lib/mail/preferences.ts';
import { projectKeyOf } from '#lib/projects/opened-project.ts';
import { leadersKey, statementMailsKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { putItem } from '#lib/table/writes.ts';
import { countUsers, projectName } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForEach } from '../engines/use-table.ts';

const [one, two] = catalog.systems.flatMap(({ projects }) => projects) as unknown as [
  Project,
  Project,
];
const inOctober = new Date('2026-10-03T08:30:00Z');
const closed = new Date('2026-11-01T01:00:00Z');
const order = { reason: 'a course', by: '7' };
const endless = { isOver: () => false };
const wanting = { events: ['project.statement'] } as const;

/** A run that stops before the project that follows so many. */
function timeFor(projects: number) {
  let begun = 0;
  return {
    isOver: () => {
      begun += 1;
      return begun > projects;
    },
  };
}

onEveryEngine('statements by mail on $name', (engine) => {
  const table = tableForEach(engine);
  const newUser = countUsers(1000);
  const run = (now = closed, time = endless) => mailStatements(table, catalog, time, now);
  const told = async (user: UserId) =>
    (await readMailbox(table, user))?.notes?.map(({ headline }) => headline) ?? [];

  async function prefer(wish: Wish) {
    const user = newUser();
    const email = `${user}@example.org`;
    await changePreferences(table, user, { email, ...wish }, email, inOctober);
    return user;
  }

  async function lead(project: Project, leaders: readonly UserId[]) {
    await setLeaders(table, { project: projectKeyOf(project), leaders, ...order }, inOctober);
    const change = { amounts: { mode: 'add', seconds: 36_000 } } as const;
    await changeBudget(table, { project, change, ...order }, inOctober);
  }

  it('reach each leader who wants them once, when the month is closed', async () => {
    const [ada, usual, unconfirmed, nobody] = [
      await prefer(wanting),
      await prefer({}),
      await prefer({ ...wanting, email: 'other@example.org' }),
      await prefer(wanting),
    ];
    await lead(one, [ada, usual, unconfirmed]);
    await lead(two, [ada]);
    await run(new Date('2026-11-01T00:59:59Z'));
    expect(await told(ada)).toEqual([]);
    await run(closed, timeFor(1));
    const progress = () => readItem(table, statementMailsKey(), (item) => item);
    expect(await progress()).toMatchObject({
      month: '2026-10',
      after: { hpc: one.hpc, project_name: one.name },
      done: false,
    });
    await run();
    await run();
    // The clock may be set back.
    await run(inOctober);
    expect(await progress()).toMatchObject({ month: '2026-10', done: true });
    expect(await told(ada)).toEqual([
      `Statement of ${one.name} for October 2026`,
      `Statement of ${two.name} for October 2026`,
    ]);
    for (const user of [usual, unconfirmed, nobody]) expect(await told(user)).toEqual([]);
    await run(new Date('2026-12-01T01:00:00Z'));
    expect(await told(ada)).toHaveLength(4);
  });

  it('are not sent twice if a run dies before it stores how far it came', async () => {
    const ada = await prefer(wanting);
    await lead(one, [ada]);
    await run();
    const begun = { type: 'statement-mails', schema_version: 1, month: '2026-10', done: false };
    await putItem(table, { Item: { ...statementMailsKey(), ...begun } });
    await run();
    expect(await told(ada)).toHaveLength(1);
  });

  it('go on where the last run stopped', async () => {
    const ada = await prefer(wanting);
    await lead(one, [ada]);
    await lead(two, [ada]);
    await run(closed, timeFor(1));
    expect(await told(ada)).toHaveLength(1);
    await run(closed, timeFor(1));
    expect(await told(ada)).toHaveLength(2);
  });

  it('come past one project after the other, also of one system', async () => {
    const place = (name: string, number: number) => ({ ...one, name: projectName(name), number });
    const projects = [place('proj_a', 70), place('proj_b', 71), place('proj_c', 72)] as const;
    const systems = catalog.systems.slice(0, 1).map((system) => ({ ...system, projects }));
    for (const _ of projects) await mailStatements(table, { systems }, timeFor(1), closed);
    const item = await readItem(table, statementMailsKey(), (stored) => stored);
    expect(item).toMatchObject({ done: true });
  });

  it('begin anew with the next month, wherever the last run of the one before stopped', async () => {
    const ada = await prefer(wanting);
    await lead(one, [ada]);
    await run(closed, timeFor(2));
    await run(new Date('2026-12-01T01:00:00Z'));
    expect(await told(ada)).toEqual(
      ['October', 'November'].map((month) => `Statement of ${one.name} for ${month} 2026`),
    );
  });

  it('reach the others if one cannot be drawn up', async () => {
    const ada = await prefer(wanting);
    await lead(two, [ada]);
    await putItem(table, { Item: { ...leadersKey(projectKeyOf(one)), type: 'damaged' } });
    await expect(run()).rejects.toThrow('Some statements could not be sent by mail');
    expect(await told(ada)).toEqual([`Statement of ${two.name} for October 2026`]);
    await run();
  });
});
