import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { listUploadShards, type PrimaryKey } from '#lib/table/keys.ts';
import { type DueKey, walkDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { unlessRefused } from '#lib/table/writes/was-written.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Upload } from './upload.ts';
import { uploadFromItem } from './upload-item.ts';

/** No page is begun after this, so that the sweep has ended before its function is ended. */
const sweepMs = 30_000;

const pageSize = 100;

/** How many files are removed at a time. */
const width = 10;

/**
 * Removes the files of uploads that no job has begun with in time, whether or not they ever arrived.
 * What fails, or is left when the time is up, stays due for the next sweep.
 */
export async function removeUploads(
  table: Table,
  inputs: Pick<ObjectStore, 'remove'>,
  clock = () => new Date(),
): Promise<void> {
  const now = clock();
  const failures: unknown[] = [];
  const remove = (key: DueKey) =>
    removeUpload(table, inputs, key, now).catch((error: unknown) => failures.push(error));
  for await (const page of walkDue(table, listUploadShards(), now, pageSize)) {
    if (clock().getTime() - now.getTime() > sweepMs) break;
    await mapInParallel(page, width, remove);
  }
  reportFailures(failures, 'Some uploads could not be removed');
}

/** The file first: a record that is gone would leave it behind. */
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

/** As it is now: the index lags behind. */
async function readUpload(table: Table, Key: PrimaryKey): Promise<Upload | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key, ConsistentRead: true }),
  );
  return Item && uploadFromItem(Item);
}
