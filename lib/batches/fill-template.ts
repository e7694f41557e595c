/** The values of the jobs of a batch: a table, or nothing but an index. */
export interface BatchRows {
  readonly columns: readonly string[];
  /** The values of each job, by place. Empty if there are no columns. */
  readonly rows: readonly (readonly string[])[];
  /** What `{index}` stands for in each job, if that is not its place. */
  readonly indexes?: readonly number[] | undefined;
}

/** The values of one job. */
export interface JobValues {
  readonly index: number;
  readonly columns: readonly string[];
  readonly cells: readonly string[];
}

/** Stands for the number of the job in its batch. No column can have this name. */
export const indexColumn = 'index';

export function valuesAt({ columns, rows, indexes }: BatchRows, place: number): JobValues {
  return { index: indexes?.[place] ?? place, columns, cells: rows[place] ?? [] };
}

/**
 * Compiles a text with marks such as `{index}` and `{alpha}`. Only marks that name a column are
 * replaced, because commands are full of other braces: `${HOME}`, `{1..3}`, `awk '{print}'`.
 */
export function compileTemplate(
  text: string,
  columns: readonly string[],
): (values: JobValues) => string {
  const names = [indexColumn, ...columns].map((name) => `\\{${name}\\}`);
  const parts = text.split(new RegExp(`(?<!\\$)(${names.join('|')})`));
  if (parts.length === 1) return () => text;
  const places = parts.map((part, at) => (at % 2 === 1 ? columns.indexOf(part.slice(1, -1)) : -2));
  return ({ index, cells }) =>
    parts
      .map((part, at) => {
        const place = places[at] ?? -2;
        if (place === -2) return part;
        return place === -1 ? String(index) : (cells[place] ?? '');
      })
      .join('');
}

/** Names the variables that a job finds in its environment. */
export function writeEnvironment({ index, columns, cells }: JobValues): Record<string, string> {
  return Object.fromEntries([
    [variableOf(indexColumn), String(index)],
    ...columns.map((column, at) => [variableOf(column), cells[at] ?? '']),
  ]);
}

function variableOf(column: string): string {
  return `SLIPWAY_${column.toUpperCase()}`;
}
