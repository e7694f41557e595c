import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { presentStatement, writeStatement } from '#lib/http/presenters/present-statement.ts';
import type { StatementRow } from '#lib/statements/statement.ts';
import * as story from '../../story/things.ts';

const hours = (time: number, kilobytes = 0) => ({ seconds: time * 3600, kilobytes });

function rowOf(user: UserId, row: Partial<StatementRow>): StatementRow {
  const nothing = hours(0);
  return {
    user,
    opening: nothing,
    granted: nothing,
    expired: nothing,
    corrected: nothing,
    shared: nothing,
    used: nothing,
    drawn: nothing,
    reserved: nothing,
    closing: nothing,
    jobs: 0,
    ...row,
  };
}

/** A leader shares out 500 of 10,000 hours, and a member uses some of them. */
const sample = {
  project: { ...story.quota.project, maxLivingJobs: 1000 },
  month: '2026-11',
  until: new Date('2026-12-01T00:00:00Z'),
  closed: true,
  rows: [
    rowOf(budgetHolder, {
      opening: hours(10_000, 100_000_000),
      shared: hours(-500),
      closing: hours(9500, 100_000_000),
    }),
    rowOf(story.quota.user, {
      opening: hours(100),
      shared: hours(500),
      used: hours(480),
      reserved: hours(20),
      closing: hours(100),
      jobs: 31,
    }),
  ],
};

export const statement = presentStatement(sample);
export const statementTable = writeStatement(sample);
