import { cutCells, readRecords } from '#client/src/rows/read-records.ts';
import { explainFault } from '#lib/csv/explain-fault.ts';
import { ObjectNotFoundError } from '#lib/files/errors.ts';
import { batchRowsKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { type Batch, type BatchOrder, mostJobs } from './batch.ts';
import { BatchInputGoneError } from './errors.ts';
import { type BatchRows, indexColumn, valuesAt } from './fill-template.ts';
import { decodeTable, readTable } from './read-table.ts';

/** The jobs of a batch by number differ only in their index. */
export const noRows: BatchRows = { columns: [], rows: [] };

/**
 * Reads the values of all jobs of a batch: from its zip, which nobody can replace, or those of jobs
 * that are run again. They were checked when the batch was accepted.
 */
export async function readStoredRows(
  inputs: Pick<ObjectStore, 'read'>,
  { owner, id }: Batch,
  { hasRows, table, input: { key, bytes } }: BatchOrder,
): Promise<BatchRows> {
  try {
    if (hasRows) return parseRows(decodeTable(await inputs.read(batchRowsKey(owner, id))));
    if (table === undefined || key === undefined) return noRows;
    return parseRows((await readTable({ store: inputs, key, bytes }, table)).text);
  } catch (error) {
    // An imported batch comes without its files.
    if (error instanceof ObjectNotFoundError) throw new BatchInputGoneError();
    throw error;
  }
}

/** Parses the first rows of a table. If its first column is the index, the others are the values. */
export function parseRows(table: string, most = mostJobs): BatchRows {
  const cells = readRecords(table).map((record) => {
    const fault = explainFault(record);
    if (fault !== undefined) throw new Error(`A stored table cannot be read. ${fault}`);
    return cutCells(record);
  });
  const columns = cells.next().value?.map((cell) => cell.trim()) ?? [];
  const records = cells.take(most).toArray();
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
