import type { Host, Output } from './host.ts';
import {
  cleanLines,
  cleanParagraphs,
  cleanText,
  createPaint,
  cutText,
  measureText,
  padText,
} from './text.ts';

const usualWidth = 80;

export type Screen = ReturnType<typeof openScreen>;

/** Writes results to `out` and everything else to `err`. */
export function openScreen({ out, err, environment }: Host) {
  // Pipes have no width limit. A terminal that does not know its width reports 0.
  const width = out.isTTY ? out.columns || usualWidth : Number.POSITIVE_INFINITY;
  const paint = createPaint(out, environment);
  let drawn = 0;
  const join = (output: Output, lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    return output.isTTY ? cleanLines(text) : text;
  };
  return {
    /** True on a terminal, where a person can watch progress. */
    isLive: out.isTTY === true,
    width,
    paint,
    say: (...lines: readonly string[]) => out.write(join(out, lines)),
    /** Writes a message about the work, which is not part of its result. */
    tell: (...lines: readonly string[]) => err.write(join(err, lines)),
    /** Lays out a table no wider than the screen. Cleans its texts, which may come from anybody. */
    layOut: <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => {
      const [head = '', ...lines] = writeTable(rows, columns.map(clean), width);
      return [paint('dim', head), ...lines];
    },
    /** Overwrites one line until progress ends. */
    progress: (text: string) => {
      if (err.isTTY) err.write(`\r${cleanText(text)}\x1b[K`);
    },
    /** Removes the progress line. */
    endProgress: () => {
      if (err.isTTY) err.write('\r\x1b[K');
    },
    /** Keeps the progress line as it is. */
    keepProgress: () => {
      if (err.isTTY) err.write('\n');
    },
    /** Replaces the lines of the last redraw. */
    redraw: (lines: readonly string[]) => {
      const up = drawn > 0 ? `\x1b[${drawn}A` : '';
      out.write(`${up}\x1b[J${join(out, lines)}`);
      drawn = lines.length;
    },
    /** Writes text that has its layout already, such as CSV. Cleans it on a terminal only. */
    raw: (text: string) => out.write(out.isTTY ? cleanParagraphs(text) : text),
  };
}

function clean<Row>(column: Column<Row>): Column<Row> {
  return { ...column, cell: (row) => cleanText(column.cell(row)) };
}

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'right';
  /** Colours the cell. Applied after layout, because colour codes take no columns. */
  readonly paint?: (row: Row, text: string) => string;
  /** A narrow terminal drops the columns with the highest number first. */
  readonly spare?: number;
  /** Whether the column is cut if the table is still too wide. */
  readonly shrinks?: boolean;
}

const gap = '  ';
const narrowest = 8;

/** Writes a line of headings, then a line for each row, no wider than the terminal. */
export function writeTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): string[] {
  const fitting = dropSpare(rows, columns, width);
  const widths = shrink(rows, fitting, width);
  const line = (text: (column: Column<Row>, columns: number) => string) =>
    fitting
      .map((column, index) => text(column, widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  const place = (column: Column<Row>, text: string, columns: number) =>
    padText(cutText(text, columns), columns, column.align === 'right' ? 'start' : 'end');
  return [
    line((column, columns) => place(column, column.head, columns)),
    ...rows.map((row) =>
      line((column, columns) => {
        const text = place(column, column.cell(row), columns);
        return column.paint ? column.paint(row, text) : text;
      }),
    ),
  ];
}

function dropSpare<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): readonly Column<Row>[] {
  const least = sum(columns.map((column) => (column.shrinks ? narrowest : measure(rows, column))));
  const spare = Math.max(0, ...columns.map((column) => column.spare ?? 0));
  if (least + gaps(columns) <= width || spare === 0) return columns;
  return dropSpare(
    rows,
    columns.filter((column) => column.spare !== spare),
    width,
  );
}

function shrink<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
): number[] {
  const widths = columns.map((column) => measure(rows, column));
  let over = sum(widths) + gaps(columns) - width;
  return columns.map((column, index) => {
    const own = widths[index] ?? 0;
    if (!column.shrinks || over <= 0) return own;
    const less = Math.min(over, Math.max(0, own - narrowest));
    over -= less;
    return own - less;
  });
}

function measure<Row>(rows: readonly Row[], { head, cell }: Column<Row>): number {
  return Math.max(measureText(head), ...rows.map((row) => measureText(cell(row))));
}

function gaps(columns: readonly unknown[]): number {
  return gap.length * Math.max(0, columns.length - 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** Draws a share as a bar. A share between 0 and 1 never looks empty or full. */
export function writeBar(
  share: number,
  columns: number,
  [full, empty] = ['━', '─'] as const,
): string {
  const bounded = Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share));
  const filled =
    bounded > 0 && bounded < 1
      ? Math.min(columns - 1, Math.max(1, Math.round(bounded * columns)))
      : bounded * columns;
  return `${full.repeat(filled)}${empty.repeat(columns - filled)}`;
}
