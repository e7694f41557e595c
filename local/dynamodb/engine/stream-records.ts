import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord, StreamRecord } from 'aws-lambda';
import type { Item, Table } from 'dynalite/db/index.js';
import type { Change } from './staged-writes.ts';

/** Who deleted an item, where it was not a request. */
export type ChangedBy = 'request' | 'expiry';

/** As the service marks what its time to live has ended for. */
const expiryIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };

/** Sequence numbers of one run fit between its start and the start of the next one. */
const numbersPerMillisecond = 1_000_000_000n;

/**
 * Turns what was committed into the records of a stream, as Lambda hands them to a function. A
 * stream of its own for each run: its numbers ascend from run to run, and nothing of it is kept.
 */
export function createStreamRecorder(now: () => number) {
  let sequence = BigInt(now()) * numbersPerMillisecond;
  return (changes: readonly Change[], by: ChangedBy): DynamoDBRecord[] =>
    changes
      .filter(({ oldItem, newItem }) => !isSame(oldItem, newItem))
      .map((change) => {
        sequence += 1n;
        return describeChange(change, by, String(sequence), now());
      });
}

/** The stream of a table, by the name that its records give it. */
export function streamArn(table: string): string {
  return `arn:aws:dynamodb:local:000000000000:table/${table}/stream/local`;
}

function describeChange(
  { table, oldItem, newItem }: Change,
  by: ChangedBy,
  sequenceNumber: string,
  now: number,
): DynamoDBRecord {
  const item = newItem ?? oldItem ?? {};
  const eventSourceARN = streamArn(table.TableName);
  return {
    eventID: createHash('sha256')
      .update(eventSourceARN + sequenceNumber)
      .digest('hex')
      .slice(0, 32),
    eventName: oldItem ? (newItem ? 'MODIFY' : 'REMOVE') : 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'local',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(now / 1000),
      Keys: copyImage(pickKeys(table, item)),
      ...(newItem && { NewImage: copyImage(newItem) }),
      ...(oldItem && { OldImage: copyImage(oldItem) }),
      SequenceNumber: sequenceNumber,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
    eventSourceARN,
    ...(by === 'expiry' && { userIdentity: expiryIdentity }),
  };
}

function pickKeys({ KeySchema }: Table, item: Item): Partial<Item> {
  return Object.fromEntries(
    KeySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName]]),
  );
}

function isSame(oldItem: Item | undefined, newItem: Item | undefined): boolean {
  if (!oldItem || !newItem) return oldItem === newItem;
  return isDeepStrictEqual(copyImage(oldItem), copyImage(newItem));
}

/** Through JSON, as every record on its way to a function: nobody changes another one's copy. */
function copyImage(item: Partial<Item>): NonNullable<StreamRecord['NewImage']> {
  return JSON.parse(JSON.stringify(item));
}
