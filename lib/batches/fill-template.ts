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

/** A text with marks for the values of a job. */
export interface Template {
  fill(values: JobValues): string;
  /**
   * Counts the characters of the filled text without writing it. A thousand marks for a long value
   * would make a text that no memory holds.
   */
  measure(index: number, widthOf: (column: number) => number): number;
  /** Whether the filled text has more than blanks. */
  hasContent(cells: readonly string[]): boolean;
}

/** Stands for the index among the columns of marks. */
const indexMark = -1;

/**
 * Compiles a text with marks such as `{index}` and `{alpha}`. Only marks that name a column are
 * replaced, because commands are full of other braces: `${HOME}`, `{1..3}`, `awk '{print}'`.
 */
export function compileTemplate(text: string, columns: readonly string[]): Template {
  const names = [indexColumn, ...columns].map((name) => `\\{${name}\\}`);
  const parts = text
    .split(new RegExp(`(?<!\\$)(${names.join('|')})`))
    .map((part, at) => (at % 2 === 1 ? columns.indexOf(part.slice(1, -1)) : part));
  const marks = parts.filter((part) => typeof part === 'number');
  const uses = [...Map.groupBy(marks, (mark) => mark)];
  const fixed = parts.filter((part) => typeof part === 'string').join('');
  const fixedCharacters = countCharacters(fixed);
  const isNeverBlank = fixed.trim() !== '' || marks.includes(indexMark);
  return {
    fill: ({ index, cells }) =>
      parts
        .map((part) => {
          if (typeof part === 'string') return part;
          return part === indexMark ? String(index) : (cells[part] ?? '');
        })
        .join(''),
    measure: (index, widthOf) =>
      uses.reduce((sum, [mark, { length: times }]) => {
        return sum + times * (mark === indexMark ? String(index).length : widthOf(mark));
      }, fixedCharacters),
    hasContent: (cells) => isNeverBlank || marks.some((mark) => (cells[mark] ?? '').trim() !== ''),
  };
}

/** Counts a character beyond the first 65,536, which takes two places of a text, once. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
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
