import { beforeAll, expect, it } from 'vitest';
import { countEnds } from '#lib/reports/count-ends.ts';
import { readActivities } from '#lib/reports/user-activity.ts';
import { meter } from '../engines/meter.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { endedJob } from '../fixtures/ended-jobs.ts';
import { hpcOne, jobFixture, putJobs } from '../fixtures/jobs.ts';
import { jobId, userId } from '../fixtures/names.ts';

const now = new Date('2026-11-30T12:00:00Z');
const [busy, idle, past] = [userId('1'), userId('2'), userId('3')];

onEveryEngine('activity on $name', (engine) => {
  const table = tableForAll(engine);
  beforeAll(async () => {
    const submitted = (owner: typeof busy, id: number, at: string) => ({
      ...jobFixture(owner, id),
      project: hpcOne,
      submittedAt: new Date(at),
    });
    await putJobs(table, [
      submitted(busy, 1, '2026-11-20T08:00:00Z'),
      submitted(busy, 3, '2026-11-29T08:00:00Z'),
      submitted(past, 2, '2026-03-01T08:00:00Z'),
    ]);
    const ended = (n: number, user: typeof busy, at: string, used: number) => {
      const { account } = endedJob(n, 1);
      return endedJob(n, 1, {
        account: { ...account, user },
        jobId: jobId(`JOB-${n}`),
        at: new Date(at),
        used,
      });
    };
    await countEnds(table, [
      ended(1, busy, '2026-11-01T00:00:00Z', 60),
      ended(2, busy, '2026-11-30T11:00:00Z', 3600),
      // The day before the 30 days.
      ended(3, busy, '2026-10-31T23:59:59Z', 5),
      ended(4, past, '2026-03-02T08:00:00Z', 7),
    ]);
  });

  it('is the newest job of each user, and what the jobs of 30 days used', async () => {
    expect(await readActivities(table, [past, idle, busy], now)).toEqual([
      { lastSubmission: new Date('2026-03-01T08:00:00Z'), used: 0, jobs: 0 },
      { lastSubmission: undefined, used: 0, jobs: 0 },
      { lastSubmission: new Date('2026-11-29T08:00:00Z'), used: 3660, jobs: 2 },
    ]);
  });

  it('costs a unit for the newest job and a unit for a few days, and writes nothing', async () => {
    const { cost } = meter(table);
    expect(await cost(() => readActivities(table, [busy], now))).toMatchObject({
      readUnits: 2,
      writeUnits: 0,
    });
  });
});
