import type { Statement } from '#client/src/index.ts';

export type StatementRow = Statement['rows'][number];

/** The amounts of a row. */
export type StatementTime = Exclude<keyof StatementRow, 'user' | 'jobs_ended'>;

const shownMonths = 36;

/** Lists this month and those before it, the newest first. */
export function listMonths(now: Date): readonly string[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return Array.from({ length: shownMonths }, (_, back) =>
    new Date(Date.UTC(year, month - back)).toISOString().slice(0, 7),
  );
}

/** What changes a balance, with its sign. */
const lines = [
  ['opening', 1],
  ['granted', 1],
  ['expired', -1],
  ['corrected', 1],
  ['used', -1],
  ['reserved', -1],
  ['closing', 1],
] as const;

const alwaysShown: readonly string[] = ['opening', 'granted', 'used', 'closing'];

/** Returns the lines from the opening to the closing balance, which add up from top to bottom. */
export function statementLines(statement: Statement) {
  return lines
    .map(([part, sign]) => ({
      part,
      time: sign * statement[part].time || 0,
      space: sign * statement[part].space || 0,
    }))
    .filter(({ part, time, space }) => alwaysShown.includes(part) || time !== 0 || space !== 0);
}
