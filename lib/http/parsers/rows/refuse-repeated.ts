import { type Row, wrongRow } from './row.ts';

/**
 * Rows are done side by side, so that two which are about the same have no order: the first one
 * counts, and the others are refused.
 */
export function refuseRepeated<Fields>(
  rows: readonly Row<Fields>[],
  subjectOf: (fields: Fields) => string,
): Row<Fields>[] {
  const firstLines = new Map<string, number>();
  return rows.map((row) => {
    if ('problems' in row) return row;
    const subject = subjectOf(row.output);
    const first = firstLines.get(subject);
    if (first !== undefined) {
      return wrongRow(row.line, `It is about the same as line ${first}. Send only one of them.`);
    }
    firstLines.set(subject, row.line);
    return row;
  });
}
