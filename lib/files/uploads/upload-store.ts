import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { uploadKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredJobId, StoredUserId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { UploadNotFoundError, UploadUsedError } from '../errors.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';

const UploadItem = v.object({
  type: v.literal('upload'),
  schema_version: v.literal(1),
  upload_id: v.string(),
  owner: StoredUserId,
  file_name: v.string(),
  bytes: v.number(),
  /** Seconds since 1970: the table forgets it some time after that. */
  expires_at: v.number(),
  job_id: v.optional(StoredJobId),
});

export async function putUpload(table: Table, upload: Upload): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...uploadKey(upload.owner, upload.id),
        type: 'upload',
        schema_version: 1,
        upload_id: upload.id,
        owner: upload.owner,
        file_name: upload.fileName,
        bytes: upload.bytes,
        expires_at: epochSeconds(upload.expiresAt),
      } satisfies v.InferInput<typeof UploadItem> & Record<'PK' | 'SK', string>,
      ConditionExpression: 'attribute_not_exists(PK)',
    }),
  );
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
        UpdateExpression: 'SET job_id = :job, expires_at = :until',
        ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(job_id)',
        ExpressionAttributeValues: {
          ':job': jobId,
          ':until': epochSeconds(secondsLater(at, uploadSeconds.record)),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    }),
    refuse: (stored) => (stored ? new UploadUsedError() : new UploadNotFoundError()),
  };
}

function uploadFromItem(stored: unknown): Upload {
  const item = parseItem(UploadItem, stored);
  return {
    id: item.upload_id,
    owner: item.owner,
    fileName: item.file_name,
    bytes: item.bytes,
    expiresAt: new Date(item.expires_at * 1000),
    jobId: item.job_id,
  };
}

function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
