import * as v from 'valibot';
import type { BatchId, JobId, UserId } from '#lib/catalog/identifiers.ts';
import { writeChange } from '#lib/table/change.ts';
import { ifMissing, ifRevision } from '#lib/table/conditions.ts';
import { attribute, defineItem, number } from '#lib/table/define-item.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { openUploadsKey, uploadKey } from '#lib/table/keys.ts';
import { readItem, readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { UploadNotFoundError, UploadUsedError } from '../errors.ts';
import {
  epochSeconds,
  newUploadToItem,
  secondsLater,
  type Upload,
  uploadFromItem,
  uploadSeconds,
} from './upload.ts';

export function putUpload(upload: Upload): Step {
  return {
    Put: { Item: newUploadToItem(upload), ...ifMissing },
    refuse: () => new Error('An upload with this identifier already exists.'),
  };
}

/** Checks the expiry itself, because DynamoDB deletes expired items days late. */
export async function findUpload(
  table: Table,
  owner: UserId,
  uploadId: string,
  at: Date,
): Promise<Upload> {
  const upload = await readItem(table, uploadKey(owner, uploadId), uploadFromItem);
  if (!upload || upload.expiresAt <= at) throw new UploadNotFoundError();
  return upload;
}

/**
 * Assigns an upload to one job or batch, in the transaction that accepts it. The record then lasts as
 * long as the request's Idempotency-Key, so a repeated request still finds it.
 */
export function claimUpload({ owner, id }: Upload, usedBy: JobId | BatchId, at: Date): Step {
  const until = epochSeconds(secondsLater(at, uploadSeconds.open));
  return {
    Update: {
      Key: uploadKey(owner, id),
      // From now on the file belongs to the job, so no sweep removes it.
      ...writeChange({
        set: {
          job_id: usedBy,
          open_until: until,
          expires_at: until,
          due: undefined,
          due_at: undefined,
        },
        expect: { job_id: undefined },
        when: ['attribute_exists(PK)'],
      }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    refuse: (stored) => (stored ? new UploadUsedError() : new UploadNotFoundError()),
  };
}

const storedList = defineItem('open-uploads', () => ({
  ids: attribute('upload_ids', v.array(v.string())),
  revision: number('revision'),
}));

interface OpenUploads {
  readonly uploads: readonly Upload[];
  /** Increases with every upload; 0 if there was none in the last day. */
  readonly revision: number;
}

/**
 * Reads a user's open uploads. The list may name used or expired uploads, because a submission does
 * not update it, so each record is checked. The list is never longer than the limit of open
 * uploads.
 */
export async function readOpenUploads(table: Table, owner: UserId, at: Date): Promise<OpenUploads> {
  const list = await readItem(table, openUploadsKey(owner), storedList.parse);
  if (!list) return { uploads: [], revision: 0 };
  const keys = list.ids.map((id) => uploadKey(owner, id));
  const records = await readItems(table, keys);
  const uploads = records
    .map(uploadFromItem)
    .filter(({ jobId, expiresAt }) => jobId === undefined && expiresAt > at);
  return { uploads, revision: list.revision };
}

/**
 * Adds an upload to the list as it was read. Of two simultaneous uploads, the second is judged
 * again with both.
 */
export function listOneMore({ uploads, revision }: OpenUploads, added: Upload): Step {
  return {
    Put: {
      Item: {
        ...openUploadsKey(added.owner),
        ...storedList.format({
          ids: [...uploads, added].map(({ id }) => id),
          revision: revision + 1,
        }),
        expires_at: epochSeconds(added.expiresAt),
      },
      ...ifRevision(revision),
    },
    refuse: () => new StaleReadError(),
  };
}
