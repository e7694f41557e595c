import type { FieldProblem } from '../../errors.ts';
import type { Reading } from '../reading.ts';

/** One of many things in a body, by the line that it stands on: what it says, or what is wrong with it. */
export type Row<Fields> = { readonly line: number } & Reading<Fields>;

/** A row before its fields are looked at. */
export type RawRow = Row<object>;

export function wrongRow(line: number, message: string): Row<never> {
  const problem: FieldProblem = { location: 'body', name: 'row', message };
  return { line, problems: [problem] };
}
