import { describe, expect, it } from 'vitest';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import { meter } from '../engines/meter.ts';
import { tableForEach } from '../engines/use-table.ts';
import { createWorld } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const table = tableForEach();

/** What is called for one job. Sweeps also ask for what is due, for all jobs together. */
function countCalls() {
  const calls: string[] = [];
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (parameters) => {
        const forAll = 'IndexName' in parameters.input && parameters.input.IndexName === 'due';
        if (!forAll) calls.push(commandName.replace(/Command$/, ''));
        return next(parameters);
      },
    { step: 'initialize' },
  );
  return {
    take: () => {
      const taken = calls.splice(0);
      const writes = taken.filter((name) => !/^(BatchGet|Get|Query)/.test(name));
      return { calls: taken.length, writes: writes.length };
    },
  };
}

describe('the life of a job', () => {
  /** Each call takes time on a laptop and money on AWS: a number that rises here needs a reason. */
  it('takes no more calls of the table, and no more write units, than it did', async () => {
    const counted = countCalls();
    const { cost } = meter(table);
    const world = createWorld(table, systemName('hpc_one'));
    const owner = userId('1');
    // The first contact of its owner comes once.
    await world.submit(owner);
    for (let second = 0; second < 60; second += 1) {
      world.pass(1);
      await world.sweep();
    }
    counted.take();
    const life: Record<string, object> = {};
    const measure = async (name: string, step: () => Promise<unknown>) => {
      const { writeUnits } = await cost(step);
      life[name] = { ...counted.take(), writeUnits };
    };
    const submitted = Promise.withResolvers<Job>();
    await measure('submission', async () => submitted.resolve(await world.submit(owner)));
    const job = await submitted.promise;
    await measure('handOver', () => world.dispatch(job));
    // Half an hour of it are half a minute here, and the clock sweeps every second.
    await measure('looks', async () => {
      for (let second = 0; second < 60; second += 1) {
        world.pass(1);
        await world.sweep();
      }
    });
    expect(await findJob(table, accountOf(job), job.jobId)).toMatchObject({ terminal: true });
    counted.take();
    await measure('counting', () =>
      countEnds(table, [
        {
          account: accountOf(job),
          jobId: job.jobId,
          at: world.now(),
          used: 60,
          outcome: 'succeeded',
          waited: 60,
          ran: 60,
        },
      ]),
    );
    expect(life).toEqual({
      submission: { calls: 2, writes: 2, writeUnits: 23 },
      handOver: { calls: 7, writes: 4, writeUnits: 8 },
      looks: { calls: 14, writes: 8, writeUnits: 43 },
      counting: { calls: 2, writes: 1, writeUnits: 10 },
    });
  });
});
