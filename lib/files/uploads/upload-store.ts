import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { openUploadsKey, uploadKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { OpenUploadsChangedError, UploadNotFoundError, UploadUsedError } from '../errors.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';
import { epochSeconds, newUploadToItem, uploadFromItem } from './upload-item.ts';

export function putUpload(upload: Upload): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: newUploadToItem(upload),
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    }),
    refuse: () => new Error('An upload with this identifier already exists.'),
  };
}

/** DynamoDB deletes expired items days late: the time is looked at here. */
export async function findUpload(
  table: Table,
  owner: UserId,
  uploadId: string,
  at: Date,
): Promise<Upload> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: uploadKey(owner, uploadId),
      ConsistentRead: true,
    }),
  );
  const upload = Item && uploadFromItem(Item);
  if (!upload || upload.expiresAt <= at) throw new UploadNotFoundError();
  return upload;
}

/**
 * One upload, one job: a step of the transaction that accepts the job. The record then lives as
 * long as an Idempotency-Key of the same request, so that a repeated one still finds it.
 */
export function claimUpload({ owner, id }: Upload, jobId: JobId, at: Date): Step {
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: uploadKey(owner, id),
        // What a job has begun with is the job's: nobody removes it for its age.
        UpdateExpression:
          'SET job_id = :job, open_until = :until, expires_at = :until REMOVE due, due_at',
        ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(job_id)',
        ExpressionAttributeValues: {
          ':job': jobId,
          ':until': epochSeconds(secondsLater(at, uploadSeconds.open)),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    }),
    refuse: (stored) => (stored ? new UploadUsedError() : new UploadNotFoundError()),
  };
}

const OpenUploadsItem = v.object({
  type: v.literal('open-uploads'),
  schema_version: v.literal(1),
  upload_ids: v.array(v.string()),
  revision: v.number(),
});

/** The uploads of a user that wait for their jobs. */
interface OpenUploads {
  readonly uploads: readonly Upload[];
  /** One more with every upload; 0 where there was none in the last day. */
  readonly revision: number;
}

/**
 * The list may name some that a job has begun with since, or that are too old: their own records
 * tell, so that a submission need not write to the list. It names no more than may be open at once.
 */
export async function readOpenUploads(table: Table, owner: UserId, at: Date): Promise<OpenUploads> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: openUploadsKey(owner), ConsistentRead: true }),
  );
  if (!Item) return { uploads: [], revision: 0 };
  const { upload_ids: ids, revision } = parseItem(OpenUploadsItem, Item);
  const records = await readItems(
    table,
    ids.map((id) => uploadKey(owner, id)),
  );
  const uploads = records
    .map(uploadFromItem)
    .filter(({ jobId, expiresAt }) => jobId === undefined && expiresAt > at);
  return { uploads, revision };
}

/** Only by the list that was read: of two uploads at once, the later one is judged by both. */
export function listOneMore({ uploads, revision }: OpenUploads, added: Upload): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: {
          ...openUploadsKey(added.owner),
          type: 'open-uploads',
          schema_version: 1,
          upload_ids: [...uploads, added].map(({ id }) => id),
          revision: revision + 1,
          expires_at: epochSeconds(added.expiresAt),
        } satisfies v.InferInput<typeof OpenUploadsItem> & Record<string, unknown>,
        ...(revision === 0
          ? { ConditionExpression: 'attribute_not_exists(PK)' }
          : {
              ConditionExpression: 'revision = :seen',
              ExpressionAttributeValues: { ':seen': revision },
            }),
      },
    }),
    refuse: () => new OpenUploadsChangedError(),
  };
}
