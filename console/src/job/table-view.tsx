import { useMemo, useState } from 'preact/hooks';
import { writeCount, writeNumber } from '#client/src/format/numbers/write-number.ts';
import { cutCells, readRecords } from '#client/src/rows/read-records.ts';
import { Button, Switch } from '../parts/form.tsx';
import { Table } from '../parts/table.tsx';
import { TextView } from './text-view.tsx';
import { phrase } from './words.ts';

interface TableViewProps {
  readonly text: string;
  readonly separator: string;
  readonly name: string;
  /** Whether the file may still grow. */
  readonly grows: boolean;
}

/** More cells at once would make the page slow. */
const rowsAtOnce = 1000;
const mostColumns = 50;

/** Shows the first rows of a table, and more on request. */
export function TableView({ text, separator, name, grows }: TableViewProps) {
  const [most, setMost] = useState(rowsAtOnce);
  const [asText, setAsText] = useState(false);
  const { head, rows, more } = useMemo(
    () => readTable(text, separator, most),
    [text, separator, most],
  );
  const hidden = head.length - mostColumns;
  return (
    <div class="table-view">
      <div class="line">
        {!asText && <code>{name}</code>}
        {!asText && (
          <span class="quiet">
            {more ? phrase('firstRows', { count: rows.length }) : writeCount(rows.length, 'row')}
          </span>
        )}
        {!asText && hidden > 0 && (
          <span class="quiet">{phrase('firstColumns', { count: mostColumns })}</span>
        )}
        <Switch on={asText} onSwitch={setAsText}>
          {phrase('asText')}
        </Switch>
      </div>
      {asText ? (
        <TextView text={text} name={name} grows={grows} />
      ) : (
        <>
          <ColumnChart head={head} rows={rows} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard. */}
          <section class="cells" tabIndex={0} aria-label={name}>
            <Table
              rows={rows}
              keyOf={({ id }) => id}
              columns={head.slice(0, mostColumns).map((title, index) => ({
                head: title,
                cell: ({ cells }: TableRow) => cells[index] ?? '',
                ...(isNumeric(rows, index) && { class: 'number' }),
              }))}
            />
          </section>
          {more && (
            <Button onClick={() => setMost(most + rowsAtOnce)}>
              {phrase('showMoreRows', { count: rowsAtOnce })}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

interface ColumnChartProps {
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
}

/** Draws one column of numbers over the rows. The table below says the same. */
function ColumnChart({ head, rows }: ColumnChartProps) {
  const numbers = head.flatMap((title, index) =>
    index < mostColumns && isNumeric(rows, index) ? [{ title, index }] : [],
  );
  const [wanted, setWanted] = useState<number>();
  // The first column often counts the rows, so another one says more.
  const chosen = numbers.find(({ index }) => index === wanted) ?? numbers[1] ?? numbers[0];
  const points = chosen ? readNumbers(rows, chosen.index) : [];
  if (!chosen || points.length < 3) return null;
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const y = (value: number) => (high === low ? 50 : 100 - (100 * (value - low)) / (high - low));
  return (
    <figure class="chart column-chart">
      <figcaption class="line quiet">
        {numbers.length > 1 && (
          <label class="inline">
            {phrase('chartOf')}
            <select
              value={chosen.index}
              onChange={({ currentTarget }) => setWanted(Number(currentTarget.value))}
            >
              {numbers.map(({ title, index }) => (
                <option key={index} value={index}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        <span>
          {phrase('range', {
            column: chosen.title,
            low: writeNumber(low),
            high: writeNumber(high),
            rows: writeCount(points.length, 'row'),
          })}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${points.length - 1} 100`} preserveAspectRatio="none" aria-hidden="true">
        <line class="base" x1="0" x2={points.length - 1} y1="100" y2="100" />
        <polyline points={points.map((value, at) => `${at},${y(value)}`).join(' ')} />
      </svg>
    </figure>
  );
}

/** Reads the numbers of a column. A comma in them is a decimal one, as a semicolon separates. */
export function readNumbers(rows: readonly TableRow[], column: number): readonly number[] {
  return rows
    .map(({ cells }) => Number((cells[column] ?? '').replace(',', '.')))
    .filter((value, row) => Number.isFinite(value) && (rows[row]?.cells[column] ?? '') !== '');
}

interface TableRow {
  readonly id: number;
  readonly cells: readonly string[];
}

interface ReadTable {
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  /** Whether the text has more rows. */
  readonly more: boolean;
}

/**
 * Reads the first rows of a table as RFC 4180 has it, and anything else as far as it makes sense,
 * because programs write many forms. The first line names the columns, unless it has only numbers.
 */
export function readTable(text: string, separator: string, most: number): ReadTable {
  const records: (readonly string[])[] = [];
  for (const record of readRecords(text, { separator, lenient: true })) {
    records.push(cutCells(record, mostColumns + 1).map(shorten));
    if (records.length === most + 2) break;
  }
  const [first = []] = records;
  const isNamed = !first.every((cell) => numeric.test(cell));
  const width = records.reduce((widest, { length }) => Math.max(widest, length), 0);
  const body = isNamed ? records.slice(1) : records;
  return {
    head: Array.from({ length: width }, (_, index) =>
      isNamed ? (first[index] ?? '') : String(index + 1),
    ),
    rows: body.slice(0, most).map((cells, id) => ({ id, cells })),
    more: body.length > most,
  };
}

/** More letters in a cell would make the page slow. The text has them all. */
const mostLetters = 1000;

function shorten(cell: string): string {
  return cell.length > mostLetters ? `${cell.slice(0, mostLetters)}…` : cell.trim();
}

const numeric = /^[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?$/i;

/** Whether all cells of a column are numbers, as far as the first rows tell. */
function isNumeric(rows: readonly TableRow[], column: number): boolean {
  const cells = rows.slice(0, 100).flatMap((row) => row.cells[column] || []);
  return cells.length > 0 && cells.every((cell) => numeric.test(cell));
}
