import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { schedules } from '#functions/schedules.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { countCommands, expectUse } from '#test/fixtures/declared-use.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { ledgerItem } from '#test/fixtures/ledgers.ts';
import { hpcOne, jobItem, quotaItem, user, welcomeKilobytes } from '#test/fixtures/samples.ts';

const report = vi.hoisted(() => vi.fn());
vi.mock('#lib/telemetry/metrics.ts', () => ({ reportAccountDrift: report }));
const { handler } = await import('#functions/schedules/reconcile-accounts.ts');

const table = useTable();
const progress = {
  PK: 'SYSTEM#RECONCILIATION',
  SK: 'PROGRESS',
  type: 'reconciliation',
  schema_version: 1,
};
const after = { user, hpc: hpcOne.hpc, project_name: hpcOne.project };

/** One job lives and holds 14,400 seconds and a kilobyte; the ledger has a line for all. */
const left = { timeLeft: 17_985_600, spaceLeft: welcomeKilobytes - 1 };
const sound = { ...quotaItem(hpcOne, left), living_jobs: 1 };
const line = ledgerItem(hpcOne, {
  at: '2026-01-01T00:00:00.000Z',
  kind: 'grant',
  seconds: left.timeLeft,
  kilobytes: left.spaceLeft,
});

beforeEach(async () => {
  report.mockReset();
  await table.hold(sound, line, jobItem(hpcOne));
});

async function run() {
  const log = captureLog();
  const before = countCommands();
  await handler();
  expectUse('reconcile-accounts', schedules['reconcile-accounts'].table, before);
  return log.map((text) => JSON.parse(text));
}

describe('the schedule reconcile-accounts', () => {
  it('reports 0 where all accounts add up, and notes how far it came', async () => {
    expect(await run()).toEqual([]);
    expect(report.mock.calls).toEqual([[0]]);
    const notes = table.mock.commandCalls(PutCommand).map(({ args: [{ input }] }) => input.Item);
    expect(notes).toEqual([{ ...progress, after }, progress]);
    expect(await table.read(progress)).toEqual(progress);
  });

  it('tells of every drift with its account, counts accounts, and writes nothing to them', async () => {
    const drifted = { ...sound, time_used: 3, living_jobs: 4 };
    await table.hold(drifted);
    expect(await run()).toMatchObject([
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
    expect(report.mock.calls).toEqual([[1]]);
    expect(await table.read(sound)).toEqual(drifted);
  });

  it('goes on where the last walk ended', async () => {
    await table.hold({ ...progress, after }, { ...sound, living_jobs: 4 });
    expect(await run()).toEqual([]);
    expect(report.mock.calls).toEqual([[0]]);
    expect(await run()).toHaveLength(1);
  });

  it('counts an account that cannot be read, and goes on', async () => {
    await table.hold({ ...sound, time_left: 'much' });
    expect((await run())[0].drift).toContain('time_left');
    expect(report.mock.calls).toEqual([[1]]);
  });

  it('asks for what comes after the last account, and fails where the table does: on a mocked table', async () => {
    table.mock.on(GetCommand).resolves({ Item: { ...progress, after } });
    table.mock.on(QueryCommand).resolvesOnce({ Items: [] }).rejects(new Error('away'));
    await expect(handler()).rejects.toThrow('away');
    const queries = table.mock.commandCalls(QueryCommand).map(({ args: [{ input }] }) => input);
    expect(queries).toContainEqual(
      expect.objectContaining({
        IndexName: 'registry',
        ExpressionAttributeValues: {
          ':registry': 'REGISTRY#QUOTAS#hpc_one#proj_hpc_one_01',
          ':after': `${user.padStart(32, '0')}#${user}`,
        },
      }),
    );
  });
});
