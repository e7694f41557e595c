import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/schedules/attend-quotas.ts';
import { schedules } from '#functions/schedules.ts';
import { table as ofService } from '#functions/table.ts';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { setLeaders } from '#lib/budgets/leaders.ts';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { changePreferences } from '#lib/mail/change-preferences.ts';
import { projectKeyOf } from '#lib/projects/opened-project.ts';
import { systemName, userId } from '#test/fixtures/names.ts';
import { lambdaContext } from '../fixtures/api-event.ts';
import { holdClock } from '../fixtures/clock.ts';
import { countCommands, expectUse } from '../fixtures/declared-use.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { hpcOne, quotaItem } from '../fixtures/samples.ts';
import {
  canceled,
  conditionFailed,
  passed,
  sentCommands,
  sentTransactions,
} from '../fixtures/table-mock.ts';

const table = useTable();
const now = '2027-01-01T00:20:00.000Z';
holdClock(now);
const end = '2027-01-01T00:00:00.000Z';
const endless = { ...quotaItem(hpcOne, { timeLeft: 1000 }), due: 'DUE#EXPIRY#1', due_at: end };
const stored = { ...endless, valid_until: end };

afterEach(() => {
  vi.unstubAllEnvs();
});

async function run() {
  const before = countCommands();
  await handler({}, lambdaContext);
  expectUse('attend-quotas', schedules['attend-quotas'].table, before);
}

describe('the schedule attend-quotas', () => {
  it('takes back what is left of a quota that has ended, and writes it down', async () => {
    await table.hold(stored);
    await run();
    expect(await table.read(stored)).toEqual({
      ...stored,
      due_at: '2027-01-02T00:20:00.000Z',
      time_granted: stored.time_granted - 1000,
      time_left: 0,
      space_granted: 0,
      space_left: 0,
    });
    expect(await table.list('LEDGER#')).toEqual([
      {
        PK: 'LEDGER#306328#hpc_one#proj_hpc_one_01',
        SK: `${now}#expiry#slipway`,
        type: 'ledger-line',
        schema_version: 1,
        kind: 'expiry',
        seconds: -1000,
        kilobytes: -10_000_000,
        at: now,
        by: 'slipway',
        reason: `valid until ${end}`,
      },
    ]);
    expect(table.writes()).toBe(1);
  });

  it('renews a quota whose moment has come, and writes down what lapsed and what was granted', async () => {
    const rule = {
      every: 'yearly',
      on: 1,
      month: 1,
      to: { seconds: 5000, kilobytes: 100 },
      carry_over: { seconds: 300, kilobytes: 0 },
    };
    const renewing = { ...endless, renews: rule, renews_next: end, time_used: 7 };
    await table.hold(renewing);
    await run();
    expect(await table.read(renewing)).toEqual({
      ...renewing,
      time_granted: renewing.time_granted + 5000 - 700,
      time_left: 5300,
      space_granted: 100,
      space_left: 100,
      time_used_before: 7,
      renewed_at: end,
      renews_next: '2028-01-01T00:00:00.000Z',
      due_at: '2027-12-25T00:00:00.000Z',
    });
    const told = { by: 'slipway', reason: 'yearly renewal of 2027-01-01' };
    expect(await table.list('LEDGER#')).toMatchObject([
      { kind: 'expiry', seconds: -700, kilobytes: -10_000_000, ...told },
      { kind: 'grant', seconds: 5000, kilobytes: 100, ...told },
    ]);
    expect(table.writes()).toBe(1);
  });

  it('tells leaders of the last month by mail, if the service sends any', async () => {
    const project = findProject(findSystem(catalog, systemName('hpc_two')), 'proj_hpc_two_02');
    const [leader, at] = [userId('501'), new Date('2026-11-03T08:30:00Z')];
    const order = { reason: 'a course', by: '7' };
    const change = { amounts: { mode: 'add', seconds: 36_000 } } as const;
    const email = 'ada@example.org';
    await setLeaders(
      ofService,
      { project: projectKeyOf(project), leaders: [leader], ...order },
      at,
    );
    await changeBudget(ofService, { project, change, ...order }, at);
    await changePreferences(ofService, leader, { email, events: ['project.statement'] }, email, at);
    const mailbox = { PK: 'USER#501', SK: 'MAILBOX' };
    await run();
    expect(await table.read(mailbox)).toBeUndefined();
    vi.stubEnv('SMTP_URL', 'smtp://localhost');
    await run();
    expect(await table.read(mailbox)).toMatchObject({
      notes: [
        { topic: 'project.statement', headline: 'Statement of proj_hpc_two_02 for November 2026' },
      ],
    });
    const before = countCommands();
    await run();
    expect(countCommands() - before).toBe(5);
  });
});

describe('on a mocked table', () => {
  const { PK, SK, due } = stored;
  const entries = (shard: string) => ({
    Items: shard === due ? [{ PK, SK, due, due_at: end }] : [],
  });

  it('reads what is due of every shard, scans nothing, and leaves alone what is gone', async () => {
    table.mock
      .on(QueryCommand)
      .callsFake(({ ExpressionAttributeValues: values }) => entries(values[':shard']));
    await run();
    const queries = sentCommands(table.mock).filter(([name]) => name === 'QueryCommand');
    expect(queries.map(([, input]) => input)).toMatchObject(
      [0, 1, 2, 3].map((shard) => ({
        IndexName: 'due',
        ExpressionAttributeValues: { ':shard': `DUE#EXPIRY#${shard}`, ':now': now },
        Limit: 100,
      })),
    );
    await table.hold({ ...stored, due_at: '2027-02-01T00:00:00.000Z' });
    await run();
    expect(sentTransactions(table.mock)).toEqual([]);
  });

  it('takes it as an answer that the quota was changed meanwhile', async () => {
    await table.hold(stored);
    table.mock.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed]));
    await expect(run()).resolves.toBeUndefined();
    const seen = { ':seen_due_at': end, ':seen_valid_until': end, ':seen_time_left': 1000 };
    expect(sentTransactions(table.mock)).toMatchObject([
      [{ Update: { ExpressionAttributeValues: seen } }, { Put: {} }],
    ]);
  });
});
