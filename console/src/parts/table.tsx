import type { ComponentChildren } from 'preact';

interface Column<Row> {
  readonly head: ComponentChildren;
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
}

/** Shows a table, which scrolls by itself if it is too wide for the page. */
export function Table<Row>({ rows, keyOf, columns, walkable = false }: TableProps<Row>) {
  const shown = columns.filter((column) => column !== false);
  return (
    <div class="scrolls">
      <table>
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
              {shown.map((column, index) => (
                <td key={index} class={column.class} title={column.title?.(row)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
