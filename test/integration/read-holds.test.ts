import { describe, expect, it } from 'vitest';
import type { Job } from '#lib/jobs/job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { readHolds } from '#lib/jobs/read/read-holds.ts';
import { tableForEach } from '../engines/use-table.ts';
import { hpcOne, hpcTwo, jobFixture, putJobs } from '../fixtures/jobs.ts';
import { projectName, userId } from '../fixtures/names.ts';

const user = userId('1');

const table = tableForEach();

const job = (id: number, change: Partial<Job> = {}): Job => ({
  ...jobFixture(user, id),
  project: hpcOne,
  hold: { seconds: 1000 * id, kilobytes: 10 * id },
  ...change,
});
const living = { stage: 'RUNNING', terminal: false, endedAt: null };
const account = accountOf(job(1));

/** Pages of so many items, however small these are; tells for each whether it may be behind. */
function limitPages(Limit: number): boolean[] {
  const consistent: boolean[] = [];
  table.client.middlewareStack.add(
    (next, { commandName }) =>
      (parameters) => {
        if (commandName === 'QueryCommand') {
          Object.assign(parameters.input, { Limit });
          consistent.push(Object(parameters.input).ConsistentRead === true);
        }
        return next(parameters);
      },
    { step: 'initialize' },
  );
  return consistent;
}

describe('what the jobs of an account hold', () => {
  it('is nothing where there are none', async () => {
    expect(await readHolds(table, account)).toEqual({ seconds: 0, kilobytes: 0, activeJobs: 0 });
  });

  it.each([
    { what: 'lives', change: living, holds: { seconds: 1000, kilobytes: 10, activeJobs: 1 } },
    { what: 'has ended', change: {}, holds: { seconds: 0, kilobytes: 10, activeJobs: 0 } },
    {
      what: 'was cancelled',
      change: { stage: 'CANCELED' },
      holds: { seconds: 0, kilobytes: 0, activeJobs: 0 },
    },
    {
      what: 'was deleted',
      change: { stage: 'DELETED' },
      holds: { seconds: 0, kilobytes: 0, activeJobs: 0 },
    },
    {
      what: 'lives without input',
      change: { ...living, hold: { seconds: 1000, kilobytes: 0 } },
      holds: { seconds: 1000, kilobytes: 0, activeJobs: 1 },
    },
  ])('of one that $what', async ({ change, holds }) => {
    await putJobs(table, [job(1, change)]);
    expect(await readHolds(table, account)).toEqual(holds);
  });

  it('is the sum over all pages, and of this account alone', async () => {
    const other = { ...hpcOne, name: projectName('proj_hpc_one_02') };
    await putJobs(table, [
      job(1, living),
      job(2),
      job(3, living),
      job(4, { stage: 'CANCELED' }),
      job(5, living),
      job(6, { ...living, project: hpcTwo }),
      job(7, { ...living, project: other }),
      job(8, { ...living, owner: userId('2') }),
    ]);
    const pages = limitPages(2);
    expect(await readHolds(table, account)).toEqual({
      seconds: 9000,
      kilobytes: 110,
      activeJobs: 3,
    });
    expect(pages).toEqual([true, true, true]);
  });
});
