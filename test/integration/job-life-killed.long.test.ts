import { beforeAll, describe, expect, it } from 'vitest';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { countUsers, systemName } from '#test/fixtures/names.ts';
import { tableForAll } from '../engines/use-table.ts';
import { killAtCall, makeTableMortal, mortal } from '../fixtures/kill-at-call.ts';
import { createWorld, expectAccountAddsUp, readLedger } from '../fixtures/life.ts';

const table = tableForAll();
const newUser = countUsers();
beforeAll(() => makeTableMortal(table));

function mortalFiles({ inputs, results }: JobFiles): JobFiles {
  return { inputs: mortal(inputs), results: mortal(results) };
}

/** The simulator takes no job twice; a real system would: whoever tries is noted. */
function noteDoubles(connector: Connector, doubled: string[]): Connector {
  return {
    ...connector,
    async submit(order) {
      if ((await connector.findByTag(order)) !== undefined) doubled.push(order.jobId);
      return connector.submit(order);
    },
  };
}

async function expectEndedOnce(job: Job): Promise<void> {
  expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: true });
  const lines = await readLedger(table, job);
  expect(lines.filter(({ kind }) => kind === 'settle')).toHaveLength(1);
  await expectAccountAddsUp(table, job);
}

/** The moments of a life at which a sweep has something to do, in seconds after submission. */
const moments = [
  { name: 'handing it over', seconds: 0 },
  { name: 'handing it over by the stream', seconds: 0, stream: true },
  { name: 'following it', seconds: 10 },
  { name: 'ending it', seconds: 100 },
];

describe.each([
  { when: 'before a call has its effect', effect: false },
  { when: 'after a call had its effect', effect: true },
])('a kill $when', ({ effect }) => {
  it.each(moments)('while $name loses no job, runs none twice, settles once', async (moment) => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const doubled: string[] = [];
      const world = createWorld(
        table,
        systemName('hpc_one'),
        (connector) => mortal(noteDoubles(connector, doubled)),
        mortalFiles,
      );
      const job = await world.submit(newUser());
      if (moment.seconds > 0) await world.sweep();
      world.pass(moment.seconds);
      const act = moment.stream ? () => world.dispatch(job) : world.sweep;
      died = await killAtCall(act, at, effect);
      // What the dead sweep had taken up is due again, at the latest as a hand-over, and goes on.
      world.pass(361);
      expect((await world.runToEnd(job, 10)).at(-1)).toBe('SUCCESSFUL');
      expect(doubled).toEqual([]);
      await expectEndedOnce(job);
    }
    expect(at).toBeGreaterThan(4);
  });

  it('while cancelling loses nothing, and a second request finishes it', async () => {
    let at = 0;
    let died = true;
    while (died) {
      at += 1;
      const world = createWorld(table, systemName('hpc_two'), mortal, mortalFiles);
      const job = await world.submit(newUser());
      await world.sweep();
      world.pass(10);
      const cancel = () => deleteJob(table, accountOf(job), job.jobId, world.now());
      died = await killAtCall(cancel, at, effect);
      await cancel();
      await expectEndedOnce(job);
      await killAtCall(world.sweep, at, effect);
      world.pass(61);
      await world.sweep();
      expect(await world.connector.findByTag({ jobId: job.jobId, owner: job.owner })).toBe(
        undefined,
      );
    }
    expect(at).toBeGreaterThan(2);
  });
});
