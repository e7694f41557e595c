import { buffer } from 'node:stream/consumers';
import { splitRecords } from '#lib/csv/split-records.ts';
import { batchRowsKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { Batch, BatchOrder } from './batch.ts';
import { type BatchRows, indexColumn, valuesAt } from './fill-template.ts';

/** The jobs of a batch by number differ only in their index. */
export const noRows: BatchRows = { columns: [], rows: [] };

/**
 * Reads the values of all jobs of a batch: the table that was submitted, or the rows of a table
 * whose first column is the index. They were checked before they were stored.
 */
export async function readStoredRows(
  inputs: Pick<ObjectStore, 'open'>,
  { owner, id }: Batch,
  { hasRows }: BatchOrder,
): Promise<BatchRows> {
  if (!hasRows) return noRows;
  const { stream } = await inputs.open(batchRowsKey(owner, id));
  return parseRows(await buffer(stream));
}

export function parseRows(table: Uint8Array): BatchRows {
  const [header, ...records] = splitRecords(new TextDecoder().decode(table)).map(
    ({ cells = [] }) => cells,
  );
  const columns = header?.map((cell) => cell.trim()) ?? [];
  if (columns[0] !== indexColumn) return { columns, rows: records };
  return {
    columns: columns.slice(1),
    rows: records.map((cells) => cells.slice(1)),
    indexes: records.map(([index]) => Number(index)),
  };
}

/** Writes the rows of some jobs as a table, with the index that each had. */
export function writeRows(rows: BatchRows, places: readonly number[]): Uint8Array {
  const lines = places.map((place) => {
    const { index, cells } = valuesAt(rows, place);
    return [String(index), ...cells].map(writeCell).join(',');
  });
  const header = [indexColumn, ...rows.columns].join(',');
  return Buffer.from([header, ...lines, ''].join('\n'));
}

function writeCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
