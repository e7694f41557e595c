import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { uploadKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { UploadNotFoundError, UploadUsedError } from '../errors.ts';
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
