import type { Statement } from '../../generated/operations.ts';
import { roundTogether } from '../numbers/add-up.ts';
import { writeDecimals } from '../numbers/write-number.ts';

type Row = Statement['rows'][number];

/** What changes a balance, with its sign. */
const parts = [
  ['opening', 1],
  ['granted', 1],
  ['expired', -1],
  ['corrected', 1],
  ['shared', 1],
  ['used', -1],
  ['drawn', 1],
  ['reserved', -1],
] as const;

type Part = (typeof parts)[number][0] | 'closing';

const decimals = 2;

/**
 * Rounds the hours of a statement to hundredths so that they add up as they are shown: the rows to
 * their sums, and what changes a balance to its end.
 */
export function roundStatement(statement: Statement) {
  const { rows } = statement;
  const places = new Map<object, number>(rows.map((row, at) => [row, at]));
  const columns = new Map<string, ReturnType<typeof roundTogether>>(
    parts.map(([part]) => [
      part,
      roundTogether(
        rows.map((row) => row[part].time / 3600),
        decimals,
      ),
    ]),
  );
  const read = (row: Omit<Row, 'user'>, part: Part): number => {
    if (part === 'closing') {
      return parts.reduce((sum, [name, sign]) => sum + sign * read(row, name), 0);
    }
    const column = columns.get(part);
    const at = places.get(row);
    return (at === undefined ? column?.whole : column?.rounded[at]) ?? 0;
  };
  return read;
}

/** Writes hours with hundredths. */
export function writeExactHours(hours: number): string {
  // Adding zero makes -0 nothing.
  return writeDecimals(hours + 0, decimals, { isFixed: true });
}
