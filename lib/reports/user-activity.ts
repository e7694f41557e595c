import type { UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import type { Table } from '#lib/table/table.ts';
import { dayOf, type Period } from './period.ts';
import { readUserReport } from './read-report.ts';

/** What a user did lately. */
export interface UserActivity {
  /** When the newest job that still exists was submitted. */
  readonly lastSubmission: Date | undefined;
  /** Seconds charged for the jobs that ended in the last 30 days, today included. */
  readonly used: number;
  /** How many jobs ended in these days. */
  readonly jobs: number;
}

const days = 30;
const dayMs = 86_400_000;

/** How many users are looked up in parallel. */
const width = 16;

/**
 * Reads what users did lately, in their order. Nothing is kept for it: each user costs a query for
 * the newest job and one for the sums of the days.
 */
export async function readActivities(
  table: Table,
  users: readonly UserId[],
  now: Date,
): Promise<readonly UserActivity[]> {
  const period = lastDays(now);
  return mapInParallel(users, width, (user) => readActivity(table, user, period));
}

function lastDays(now: Date): Period {
  return { since: dayOf(new Date(now.getTime() - (days - 1) * dayMs)), until: dayOf(now) };
}

async function readActivity(table: Table, user: UserId, period: Period): Promise<UserActivity> {
  const [newest, rows] = await Promise.all([
    readJobs(table, { owner: user, order: 'desc', filter: {} }, undefined, 1),
    readUserReport(table, { by: [], period, user }),
  ]);
  const { used = 0, jobs = 0 } = rows[0]?.usage ?? {};
  return { lastSubmission: newest.jobs[0]?.submittedAt, used, jobs };
}
