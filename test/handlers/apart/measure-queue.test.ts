import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/schedules/measure-queue.ts';
import { holdClock } from '#test/fixtures/clock.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { submittedAt, systemSamples } from '#test/fixtures/samples.ts';

const report = vi.hoisted(() => vi.fn());
vi.mock('#lib/telemetry/metrics.ts', () => ({ reportOldestDue: report }));

const table = useTable();
holdClock(submittedAt);
beforeEach(() => {
  report.mockReset();
});

const run = (measure = handler) => measure({}, { getRemainingTimeInMillis: () => 30_000 });
const at = (seconds: number) => new Date(submittedAt.getTime() + seconds * 1000).toISOString();

/** An entry of a shard that is due since so many seconds. */
const dueItem = (due: string, seconds: number) => ({
  PK: 'USER#1',
  SK: `LIFE#${due}#${seconds}`,
  due,
  due_at: at(-seconds),
});

describe('the schedule measure-queue', () => {
  it('reports 0 for every system where nothing is due', async () => {
    await table.hold(dueItem('DUE#hpc_one#1', -60));
    await run();
    expect(report.mock.calls).toEqual([
      ['hpc_one', 0],
      ['hpc_two', 0],
    ]);
  });

  it('reports the age of the oldest due job over all shards of a system', async () => {
    await table.hold(
      dueItem('DUE#hpc_one#1', 90),
      dueItem('DUE#hpc_one#1', 20),
      dueItem('DUE#hpc_one#LOOKS#3', 300),
      dueItem('DUE#hpc_two#0', 7),
    );
    await run();
    expect(report.mock.calls).toEqual([
      ['hpc_one', 300],
      ['hpc_two', 7],
    ]);
  });

  it('reports 0 for a system in maintenance, however long its jobs are due', async () => {
    await table.hold(dueItem('DUE#hpc_one#LOOKS#3', 3600), dueItem('DUE#hpc_two#0', 7), {
      PK: 'SYSTEM#hpc_one',
      SK: 'MAINTENANCE',
      type: 'system-maintenance',
      schema_version: 1,
      hpc: 'hpc_one',
      revision: 1,
      windows: [{ name: 'pause', source: 'administrator', from: at(-60), reason: 'It is hot.' }],
    });
    await run();
    expect(report.mock.calls).toEqual([
      ['hpc_one', 0],
      ['hpc_two', 7],
    ]);
  });

  it('writes down that the service is there, and the steps of the data once', async () => {
    vi.resetModules();
    const { handler: fresh } = await import('#functions/schedules/measure-queue.ts');
    await run(fresh);
    const written = await table.list('SYSTEM#');
    expect(written).toMatchObject([
      { PK: 'SYSTEM#DATA', SK: 'STEPS', steps: expect.anything() },
      { PK: 'SYSTEM#PRESENCE', SK: 'SIGN' },
    ]);
    expect(JSON.stringify(written)).toContain('"since":"0.2.0"');
    vi.setSystemTime(at(59));
    await run(fresh);
    const [steps, sign] = await table.list('SYSTEM#');
    expect(steps).toEqual(written[0]);
    expect(sign).not.toEqual(written[1]);
    expect(table.writes()).toBe(3);
  });

  it('reads one item of each shard that is due, and scans nothing: on a mocked table', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [] });
    await run();
    const shards = systemSamples.flatMap(({ hpc }) =>
      [hpc, `${hpc}#LOOKS`].flatMap((kind) =>
        [0, 1, 2, 3].map((number) => `DUE#${kind}#${number}`),
      ),
    );
    const asked = table.mock.commandCalls(QueryCommand).map(({ args: [{ input }] }) => input);
    expect(asked).toMatchObject(
      shards.map((shard) => ({
        IndexName: 'due',
        ExpressionAttributeValues: { ':shard': shard, ':now': at(0) },
        Limit: 1,
      })),
    );
    table.mock.on(QueryCommand).rejects(new Error('away'));
    await expect(run()).rejects.toThrow('away');
  });
});
