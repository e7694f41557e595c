import { uploadedKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { measureInput } from '#lib/jobs/submit/place-input.ts';
import type { Table } from '#lib/table/table.ts';
import { type BatchSubmission, checkTable, judgeLast } from './batch-submission.ts';
import { BadTableError } from './errors.ts';
import { readTable } from './read-table.ts';

export interface CheckedRows {
  readonly count: number;
  /** The table as it is in the zip. Undefined for a batch by number. */
  readonly table?: string;
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
    return { count: shape.count };
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
  const found = await readTable({ store, key, bytes }, shape.table);
  return { count: checkTable(submission, found), table: found.text };
}

interface Range {
  readonly first: number;
  readonly last: number;
}
