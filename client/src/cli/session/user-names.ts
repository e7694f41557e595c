import type { LedProject } from '../../index.ts';
import { type Column, column } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';

/** The option of tables of users. A table is soon passed on, so names are in it only if asked for. */
export const namesOption = () => ['--names', phrase('shared.namesInCsv')] as const;

export interface TableWish {
  readonly csv?: true | undefined;
  readonly names?: true | undefined;
}

/** Whether to ask the service for names. A terminal shows them always. */
export function wantsNames({ csv, names }: TableWish): boolean {
  return !csv || names === true;
}

/** Writes the leaders of a project, with what they are called: `306328 Ada Lovelace, 306330`. */
export function nameLeaders({ leaders, leader_names: names }: LedProject): string {
  return leaders.map((user) => `${user} ${names?.[user] ?? ''}`.trim()).join(', ');
}

interface Named {
  readonly name?: string | null | undefined;
  readonly email?: string | undefined;
}

/** Takes out of the rows of a table who their users are, unless it was asked for. */
export function leaveOutNames<Row extends Named>(rows: readonly Row[], wish: TableWish) {
  return rows.map((row) => {
    const { name: _, email: __, ...rest } = row;
    return wantsNames(wish) ? row : rest;
  });
}

/** A column of names, left out where the identity provider tells none. */
export function nameColumn<Row>(nameOf: (row: Row) => string | null | undefined): Column<Row> {
  return column('shared.headName', (row) => nameOf(row) ?? '', {
    shrinks: true,
    spare: 6,
    mayBeEmpty: true,
  });
}
