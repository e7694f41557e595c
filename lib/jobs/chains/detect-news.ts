import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Attributes } from '#lib/table/define-item.ts';
import type { PrimaryKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readImage } from '#lib/table/read-image.ts';
import { StoredAwaitedId, StoredUserId } from '#lib/table/stored-names.ts';
import { readOrSkip } from '#lib/telemetry/read-or-skip.ts';
import type { AwaitedId } from './waits.ts';

/** News of one owner that may end the wait of a job. */
export interface WaitNews {
  readonly owner: UserId;
  /** Awaited jobs and batches that have ended. */
  readonly ended: AwaitedId[];
  /** Lives of waiting jobs that are due. */
  readonly waiting: PrimaryKey[];
  /** Lives of waiting jobs that are due, and for which the service fetches files. */
  readonly fetching: PrimaryKey[];
}

/** Reads only these fields, so that the function that only wakes others stays small. */
const Ended = v.object({ owner: StoredUserId, job_id: StoredAwaitedId });
const EndedBatch = v.object({
  owner: StoredUserId,
  batch_id: StoredAwaitedId,
  count: v.number(),
  done: v.number(),
  failed: v.number(),
  cancelled: v.number(),
});
const Waiting = v.object({ owner: StoredUserId, PK: v.string(), SK: v.string() });

/** Finds ends of awaited jobs, and waiting jobs that are due, in records of the table's stream. */
export function groupWaitNews(records: readonly DynamoDBRecord[], now: Date): WaitNews[] {
  const news = records.flatMap((record) =>
    readOrSkip(record, ({ dynamodb }) => {
      const image = dynamodb?.NewImage && readImage(dynamodb.NewImage);
      return image ? readNews(image, now) : [];
    }),
  );
  return [...Map.groupBy(news, ({ owner }) => owner)].map(([owner, all]) => ({
    owner,
    ended: [...new Set(all.flatMap(({ ended }) => ended))],
    waiting: all.flatMap(({ waiting }) => waiting),
    fetching: all.flatMap(({ fetching }) => fetching),
  }));
}

function readNews(image: Attributes, now: Date): WaitNews[] {
  const { type, awaited, terminal, waiting, released, due_at: dueAt } = image;
  if (type === 'job' && awaited === true && terminal === true) {
    const { owner, job_id: id } = parseItem(Ended, image);
    return [{ owner, ended: [id], waiting: [], fetching: [] }];
  }
  if (type === 'batch' && awaited === true) {
    const { owner, batch_id: id, count, done, failed, cancelled } = parseItem(EndedBatch, image);
    return done + failed + cancelled < count
      ? []
      : [{ owner, ended: [id], waiting: [], fetching: [] }];
  }
  const isDue = typeof dueAt === 'string' && dueAt <= now.toISOString();
  if (type === 'job-life' && waiting === true && (isDue || released === true)) {
    const { owner, PK, SK } = parseItem(Waiting, image);
    const [waits, fetches] =
      image.service_fetches === true ? [[], [{ PK, SK }]] : [[{ PK, SK }], []];
    return [{ owner, ended: [], waiting: waits, fetching: fetches }];
  }
  return [];
}
