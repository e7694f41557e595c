import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamFilter } from '#functions/streams.ts';

/** As the event source of a deployed function decides it, from the same filter. */
export function matchesFilter(record: DynamoDBRecord, filter: StreamFilter): boolean {
  const { itemType, flag, kind } = filter;
  const eventNames: readonly unknown[] = filter.eventName;
  const item = record.dynamodb?.NewImage;
  return (
    eventNames.includes(record.eventName) &&
    item?.type?.S === itemType &&
    (flag === undefined || item[flag]?.BOOL === true) &&
    (kind === undefined || item.kind?.S === kind)
  );
}
