import type { DynamoDBRecord } from 'aws-lambda';
import { readImage } from '#lib/table/read-image.ts';

/** A change of an item that is still there after it. */
export interface ItemChange {
  /** Of the stream's own: a record that is told again has the same one. */
  readonly id: string;
  readonly at: Date;
  /** Nothing where the item is new. */
  readonly oldItem: Record<string, unknown> | undefined;
  readonly newItem: Record<string, unknown>;
}

/** Nothing where an item went away: jobs and quotas never do, and what expires is no event. */
export function readChange({ eventID, dynamodb }: DynamoDBRecord): ItemChange | undefined {
  const { ApproximateCreationDateTime: seconds, NewImage, OldImage } = dynamodb ?? {};
  if (eventID === undefined || seconds === undefined || NewImage === undefined) return undefined;
  return {
    id: eventID,
    at: new Date(seconds * 1000),
    oldItem: OldImage && readImage(OldImage),
    newItem: readImage(NewImage),
  };
}
