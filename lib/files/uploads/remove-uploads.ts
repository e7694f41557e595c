import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { listUploadShards, type PrimaryKey } from '#lib/table/keys.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import { readItem } from '#lib/table/reads/read-item.ts';
import { sweepDue } from '#lib/table/reads/sweep-due.ts';
import type { Table } from '#lib/table/table.ts';
import { unlessRefused } from '#lib/table/writes/was-written.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Upload } from './upload.ts';
import { uploadFromItem } from './upload-item.ts';

/** How many files are removed in parallel. */
const width = 10;

/** Removes unused uploads after their time, whether or not the file ever arrived. */
export async function removeUploads(
  table: Table,
  inputs: Pick<ObjectStore, 'remove'>,
  clock = () => new Date(),
): Promise<void> {
  const remove = (key: DueKey, now: Date) => removeUpload(table, inputs, key, now);
  const failures = await sweepDue(table, listUploadShards(), remove, { width, clock });
  reportFailures(failures, 'Some uploads could not be removed');
}

/** Removes the file first, because without its record nobody would find the file again. */
async function removeUpload(
  table: Table,
  inputs: Pick<ObjectStore, 'remove'>,
  { PK, SK }: PrimaryKey,
  now: Date,
): Promise<void> {
  const upload = await readUpload(table, { PK, SK });
  if (!upload || upload.jobId !== undefined || upload.expiresAt > now) return;
  await inputs.remove(uploadedKey(upload.owner, upload.id));
  await unlessRefused(
    table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: { PK, SK },
        ConditionExpression: 'attribute_not_exists(job_id)',
      }),
    ),
  );
}

/** Reads the upload itself, because the index lags behind. */
async function readUpload(table: Table, key: PrimaryKey): Promise<Upload | undefined> {
  const stored = await readItem(table, key);
  return stored && uploadFromItem(stored);
}
