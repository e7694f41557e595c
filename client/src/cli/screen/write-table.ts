import { cutText, measureText, padText } from './measure-text.ts';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'right';
  /** Put on after the width is known, so that it takes none. */
  readonly paint?: (row: Row, text: string) => string;
  /** What a narrow terminal leaves out first: the highest number. */
  readonly spare?: number;
  /** What is cut where even that is not enough. */
  readonly shrinks?: boolean;
}

const gap = '  ';
const narrowest = 8;

/** A line of heads, then a line for each row, no wider than the terminal. */
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
