import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { schedules } from '#functions/schedules.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { countCommands, expectUse } from '#test/fixtures/declared-use.ts';
import { hpcOne, jobItem, quotaItem, user, welcomeKilobytes } from '#test/fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '#test/fixtures/table-mock.ts';

const report = vi.hoisted(() => vi.fn());
vi.mock('#lib/telemetry/metrics.ts', () => ({ reportAccountDrift: report }));
const { handler } = await import('#functions/schedules/reconcile-accounts.ts');

const table = mockTable();
const progressKey = { PK: 'SYSTEM#RECONCILIATION', SK: 'PROGRESS' };
const place = { user, hpc: hpcOne.hpc, project_name: hpcOne.project };
const registry = 'REGISTRY#QUOTAS#hpc_one#proj_hpc_one_01';

/** One job lives and holds 14,400 seconds and a kilobyte; the ledger has a line for all. */
const sound = {
  ...quotaItem(hpcOne, { timeLeft: 17_985_600, spaceLeft: welcomeKilobytes - 1 }),
  living_jobs: 1,
};
const line = {
  PK: 'LEDGER#306328#hpc_one#proj_hpc_one_01',
  SK: '2026-01-01T00:00:00.000Z#grant#slipway',
  type: 'ledger-line',
  schema_version: 1,
  kind: 'grant',
  seconds: 17_985_600,
  kilobytes: welcomeKilobytes - 1,
  at: '2026-01-01T00:00:00.000Z',
  by: 'slipway',
  reason: 'first contact',
};

beforeEach(() => {
  table.reset();
  report.mockReset();
  table.on(QueryCommand).callsFake(({ IndexName, ExpressionAttributeValues: values }) => {
    if (IndexName === 'jobs_by_project') return { Items: [jobItem(hpcOne)] };
    if (values[':registry'] === registry) return { Items: [{ PK: `USER#${user}`, SK: sound.SK }] };
    return { Items: values[':ledger'] === line.PK ? [line] : [] };
  });
  table.on(GetCommand).resolves({});
  table.on(GetCommand, { Key: { PK: sound.PK, SK: sound.SK } }).resolves({ Item: sound });
  table.on(PutCommand).resolves({});
});

async function run() {
  const before = countCommands();
  await handler();
  expectUse('reconcile-accounts', schedules['reconcile-accounts'].table, before);
}

const puts = () => table.commandCalls(PutCommand).map(({ args: [{ input }] }) => input.Item);

describe('the schedule reconcile-accounts', () => {
  it('reports 0 where all accounts add up, and notes how far it came', async () => {
    const log = captureLog();
    await run();
    expect(report.mock.calls).toEqual([[0]]);
    expect(log).toEqual([]);
    const note = { ...progressKey, type: 'reconciliation', schema_version: 1 };
    expect(puts()).toEqual([{ ...note, after: place }, note]);
  });

  it('tells of every drift with its account, counts accounts, and writes nothing to them', async () => {
    const item = { ...sound, time_used: 3, living_jobs: 4 };
    table.on(GetCommand, { Key: { PK: sound.PK, SK: sound.SK } }).resolves({ Item: item });
    const log = captureLog();
    await run();
    expect(report.mock.calls).toEqual([[1]]);
    expect(log.map((text) => JSON.parse(text))).toMatchObject([
      {
        level: 'WARN',
        message: 'account drift',
        user,
        hpc: 'hpc_one',
        project: 'proj_hpc_one_01',
        drift:
          '18000000 seconds are granted, but 17985600 left, 14400 held and 3 used add up to 18000003',
      },
      { drift: '4 active jobs are counted, but there are 1' },
    ]);
    expect(puts().every((put) => put?.PK === progressKey.PK)).toBe(true);
  });

  it('goes on where the last walk ended', async () => {
    table.on(GetCommand, { Key: progressKey }).resolves({
      Item: { ...progressKey, type: 'reconciliation', schema_version: 1, after: place },
    });
    await run();
    const listed = sentCommands(table)
      .map(([, input]) => Object(input))
      .filter(({ IndexName }) => IndexName === 'registry');
    expect(listed[0]).toEqual({
      TableName: tableName,
      IndexName: 'registry',
      KeyConditionExpression: 'registry = :registry AND registry_key > :after',
      ExpressionAttributeValues: {
        ':registry': registry,
        ':after': `${user.padStart(32, '0')}#${user}`,
      },
      Limit: 100,
    });
    expect(listed).toHaveLength(3);
  });

  it('counts an account that cannot be read, and goes on', async () => {
    table.on(GetCommand, { Key: { PK: sound.PK, SK: sound.SK } }).resolves({
      Item: { ...sound, time_left: 'much' },
    });
    const log = captureLog();
    await run();
    expect(report.mock.calls).toEqual([[1]]);
    expect(JSON.parse(log[0] ?? '').drift).toContain('time_left');
  });
});
