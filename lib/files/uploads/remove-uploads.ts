import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { type DueKey, sweepDue } from '#lib/table/due-index.ts';
import { listShards, type PrimaryKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { unlessRefused } from '#lib/table/writes.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { uploadFromItem } from './upload.ts';

/** How many files are removed in parallel. */
const width = 10;

/** Removes unused uploads after their time, whether or not the file ever arrived. */
export async function removeUploads(
  table: Table,
  inputs: Pick<ObjectStore, 'remove'>,
  clock = () => new Date(),
): Promise<void> {
  const remove = (key: DueKey, now: Date) => removeUpload(table, inputs, key, now);
  const failures = await sweepDue(table, listShards('UPLOADS'), remove, { width, clock });
  reportFailures(failures, 'Some uploads could not be removed');
}

/** Removes the file first, because without its record nobody would find the file again. */
async function removeUpload(
  table: Table,
  inputs: Pick<ObjectStore, 'remove'>,
  { PK, SK }: PrimaryKey,
  now: Date,
): Promise<void> {
  // The index lags behind.
  const upload = await readItem(table, { PK, SK }, uploadFromItem);
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
