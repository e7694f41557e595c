import { uploadedKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { measureInput } from '#lib/jobs/submit/place-input.ts';
import type { Table } from '#lib/table/table.ts';
import { type BatchSubmission, checkRows, judgeLast } from './batch-submission.ts';
import { BadTableError } from './errors.ts';
import type { BatchRows } from './fill-template.ts';
import { readTable } from './read-table.ts';

export interface CheckedRows extends BatchRows {
  readonly count: number;
}

/** Reads and checks the values of all jobs. Stores nothing. */
export async function readRows(
  { table, inputs }: { readonly table: Table; readonly inputs: ObjectStore },
  submission: BatchSubmission,
  at: Date,
): Promise<CheckedRows> {
  const { shape, owner, input } = submission;
  if ('count' in shape) {
    const problems = judgeLast(submission, shape.count);
    if (problems.length > 0) {
      throw new BadTableError(
        'count',
        problems.map((message) => ({ message })),
      );
    }
    return { columns: [], rows: [], count: shape.count };
  }
  const { source } = input;
  const bytes = await measureInput(table, inputs, submission, at);
  const store =
    source.kind === 'inline'
      ? {
          read: async (_: string, { first, last }: Range) =>
            source.content.subarray(first, last + 1),
        }
      : inputs;
  if (source.kind === 'none') {
    const message = `The request has no zip, so there is no file '${shape.table}'.`;
    throw new BadTableError(shape.table, [{ message }]);
  }
  const key = source.kind === 'upload' ? uploadedKey(owner, source.uploadId) : '';
  const rows = await readTable({ store, key, bytes }, shape.table);
  checkRows(submission, shape.table, rows);
  return { columns: rows.columns, rows: rows.rows, count: rows.rows.length };
}

interface Range {
  readonly first: number;
  readonly last: number;
}
