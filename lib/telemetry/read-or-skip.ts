import type { DynamoDBRecord } from 'aws-lambda';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { logger } from './logger.ts';
import { countDamagedRecord } from './metrics.ts';

/**
 * Reads a change of the table, or skips it if that fails. Retrying would block all later changes
 * until the stream drops this one. The log says how to find the record, but not what it holds
 * (docs/runbook.md, "Damaged records").
 */
export function readOrSkip<T>(
  record: DynamoDBRecord,
  read: (record: DynamoDBRecord) => readonly T[],
): readonly T[] {
  try {
    return read(record);
  } catch (error) {
    logger.error('damaged record', {
      sequenceNumber: record.dynamodb?.SequenceNumber,
      eventId: record.eventID,
      change: record.eventName,
      itemType: record.dynamodb?.NewImage?.type?.S,
      reason: explain(error),
    });
    countDamagedRecord();
    return [];
  }
}

/** Leaves out the message of other errors, which might quote the record. */
function explain(error: unknown): string {
  if (error instanceof DamagedItemError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
