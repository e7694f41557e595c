import type { ComponentChildren } from 'preact';

interface Column<Row> {
  readonly head: ComponentChildren;
  /** Stands for a heading that is more than text, where a card shows it beside the cell. */
  readonly label?: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Shown on hover over a cell. */
  readonly title?: (row: Row) => string;
  /** The class of the heading and the cells. */
  readonly class?: string;
}

interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly columns: readonly (Column<Row> | false)[];
  /** Whether the keys j and k go from row to row. */
  readonly walkable?: boolean;
  /** Whether a phone shows each row as a card, because the columns are too many for it. */
  readonly folds?: boolean;
}

/** Shows a table, which scrolls by itself if it is too wide for the page. */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, keyOf, columns, walkable = false, folds = false } = props;
  const shown = columns.filter((column) => column !== false);
  return (
    <div class="scrolls">
      <table class={folds ? 'folds' : undefined}>
        <thead>
          <tr>
            {shown.map((column, index) => (
              <th key={index} class={column.class}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...(walkable && { 'data-row': true })}>
              {shown.map((column, index) => {
                const content = column.cell(row);
                const { head, label = typeof head === 'string' ? head : undefined } = column;
                return (
                  <td
                    key={index}
                    class={column.class}
                    title={column.title?.(row)}
                    {...(folds && { 'data-head': label })}
                  >
                    {content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
