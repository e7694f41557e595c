import { describe, expect, it } from 'vitest';
import type { AccountedJob } from '#lib/hpc/connector.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { compareWithSystem } from '#tools/reconcile/compare-with-system.ts';
import { tableForEach } from '../engines/use-table.ts';
import { arrayName, putIntoArray } from '../fixtures/array-jobs.ts';
import { createWorld } from '../fixtures/life.ts';
import { systemName, userId } from '../fixtures/names.ts';

const table = tableForEach();

const unknown = '0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9';

/** One run that ended by itself. */
function runOf(seconds: number): AccountedJob['runs'] {
  return [{ number: 1, seconds, isLost: false, reason: '' }];
}

describe('what jobs were charged, beside the accounting of their system', () => {
  it('differs in one line for each job that was charged otherwise', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const [right, wrong] = [await world.submit(userId('1')), await world.submit(userId('2'))];
    await world.runToEnd(right);
    await world.runToEnd(wrong);
    const living = await world.submit(userId('3'));
    const endedAt = world.now();
    // 80 percent of half an hour is what a simulator needs.
    const accounted: AccountedJob[] = [
      { name: right.jobId, handle: '1', runs: runOf(1440), endedAt },
      { name: wrong.jobId, handle: '2', runs: runOf(1500), endedAt },
      { name: living.jobId, handle: '3', runs: runOf(5), endedAt },
      { name: unknown, handle: '4', runs: runOf(7), endedAt },
      { name: 'somebody-elses', handle: '5', runs: runOf(7), endedAt },
    ];
    const { system } = world;
    const connector = { ...world.connector, readAccounting: async () => accounted };
    const given = { system, projects: system.projects, connector };
    const period = { since: addSeconds(endedAt, -3600), until: addSeconds(endedAt, 3600) };
    expect(await compareWithSystem(table, given, period)).toEqual({
      compared: 2,
      differences: [
        {
          jobId: wrong.jobId,
          charged: 2880,
          expected: 3000,
          reason: 'the system counts 1500 seconds of 1800 granted',
          isExplained: false,
        },
        {
          jobId: living.jobId,
          charged: 0,
          expected: 5,
          reason: 'it is not settled yet',
          isExplained: true,
        },
        {
          jobId: unknown,
          charged: 0,
          expected: 7,
          reason: 'Slipway does not know this job',
          isExplained: false,
        },
      ],
    });
  });

  it('is compared task by task for an array', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const jobs = [await world.submit(userId('1')), await world.submit(userId('2'))];
    for (const job of jobs) await world.runToEnd(job);
    await putIntoArray(table, jobs);
    const endedAt = world.now();
    const accounted: AccountedJob[] = [
      { name: arrayName, task: 0, handle: '7_0', runs: runOf(1440), endedAt },
      { name: arrayName, task: 1, handle: '7_1', runs: runOf(1500), endedAt },
      { name: arrayName, task: 2, handle: '7_2', runs: runOf(7), endedAt },
    ];
    const { system } = world;
    const connector = { ...world.connector, readAccounting: async () => accounted };
    const given = { system, projects: system.projects, connector };
    const period = { since: addSeconds(endedAt, -3600), until: addSeconds(endedAt, 3600) };
    expect(await compareWithSystem(table, given, period)).toMatchObject({
      compared: 2,
      differences: [
        { jobId: jobs[1]?.jobId, reason: 'the system counts 1500 seconds of 1800 granted' },
        { jobId: `${arrayName}_2`, reason: 'it is not settled yet', isExplained: true },
      ],
    });
  });

  it('is not known of a system without accounting', async () => {
    const { system, connector } = createWorld(table, systemName('hpc_one'));
    const given = { system, projects: system.projects, connector };
    const period = { since: new Date(0), until: new Date() };
    expect(await compareWithSystem(table, given, period)).toBeUndefined();
  });
});
