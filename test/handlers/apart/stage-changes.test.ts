import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Observation } from '#lib/hpc/connector.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { tableForEach } from '#test/engines/use-table.ts';
import { createWorld } from '#test/fixtures/life.ts';
import { systemName, userId } from '#test/fixtures/names.ts';

const countStageChange = vi.hoisted(() => vi.fn());
vi.mock('#lib/telemetry/metrics.ts', () => ({ countStageChange }));

const hpc = systemName('hpc_one');

const table = tableForEach();
beforeEach(() => countStageChange.mockReset());

/** What is counted while the system says this of a job, at one look after the other. */
async function countWhile(says: readonly Observation[], cancelled = false) {
  const remaining = [...says];
  const world = createWorld(table, hpc, (connector) => ({
    ...connector,
    async lookUp(asked) {
      const said = remaining.shift();
      if (cancelled) await deleteJob(table, accountOf(job), job.jobId, world.now());
      return new Map(said && asked.map(({ jobId }) => [jobId, said]));
    },
  }));
  const job = await world.submit(userId('1'));
  await world.sweep();
  for (const _ of says) {
    world.pass(60);
    await world.sweep();
  }
  expect(remaining).toEqual([]);
  return countStageChange.mock.calls;
}

const living = (stage: string): Observation => ({ state: 'living', stage });
const ended: Observation = { state: 'ended', stage: 'SUCCESSFUL', failed: false };

describe('a change of the stage of a job', () => {
  it('is counted once, at each stage that is entered', async () => {
    const says = [living('QUEUED'), living('RUNNING'), living('RUNNING'), ended];
    expect(await countWhile(says)).toEqual([
      [hpc, 'RUNNING'],
      [hpc, 'SUCCESSFUL'],
    ]);
  });

  it.each([living('RUNNING'), ended])(
    'is not counted where a cancel was faster than the news: $state',
    async (news) => {
      expect(await countWhile([news], true)).toEqual([]);
    },
  );
});
