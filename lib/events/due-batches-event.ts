import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import type { Attributes } from '#lib/table/define-item.ts';
import type { PrimaryKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readImage } from '#lib/table/read-image.ts';
import { readOrSkip } from '#lib/telemetry/read-or-skip.ts';
import { type EventBus, publishEvents } from './publish-events.ts';

/** Separate from hand-overs, so that creating ten thousand jobs does not hold up a single one. */
export const batchesSource = 'slipway.batches';

/** Well below the limit of one entry. */
const batchesPerEntry = 100;

const Keys = v.object({ PK: v.string(), SK: v.string() });

const DueBatches = v.object({ detail: v.object({ due: v.array(Keys) }) });

/** Finds the batches in records of the table's stream that can be brought further, each once. */
export function findDueBatches(records: readonly DynamoDBRecord[]): PrimaryKey[] {
  const found = records.flatMap((record) =>
    readOrSkip(record, ({ dynamodb }) => {
      const image = dynamodb?.NewImage && readImage(dynamodb.NewImage);
      const before = dynamodb?.OldImage && readImage(dynamodb.OldImage);
      return image && needsAttention(image, before) ? [parseItem(Keys, image)] : [];
    }),
  );
  return [...new Map(found.map((key) => [`${key.PK} ${key.SK}`, key])).values()];
}

/**
 * Tells whether a change lets a batch get further. That is not so for most changes: whoever creates
 * or cancels its jobs changes it many times, and goes on until all is done. The clock finds what was
 * missed. Reads only some attributes, so that the function that only wakes others stays small.
 */
function needsAttention(image: Attributes, before: Attributes | undefined): boolean {
  const { type, cancel_pending: isCancelled, discard, unfolded, count } = image;
  if (type !== 'batch') return false;
  if (!before) return true;
  if (isCancelled === true) return before.cancel_pending !== true || before.discard !== discard;
  const isParked = unfolded === count && Number(image.next_release) < Number(count);
  return isParked && turns.some((name) => image[name] !== before[name]);
}

/** Each of these may let the next job have its turn. */
const turns = ['released', 'done', 'failed', 'cancelled'];

export async function announceDueBatches(bus: EventBus, due: readonly PrimaryKey[]): Promise<void> {
  const entries = splitIntoBatches(due, batchesPerEntry).map((some) => ({
    EventBusName: bus.name,
    Source: batchesSource,
    DetailType: 'batches.due',
    Detail: JSON.stringify({ due: some }),
  }));
  await publishEvents(bus, entries);
}

export function parseDueBatches(event: unknown): PrimaryKey[] {
  return v.parse(DueBatches, event).detail.due;
}
