import type { DynamoDBRecord } from 'aws-lambda';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { logger } from './logger.ts';
import { countDamagedRecord } from './metrics.ts';

/**
 * What is made of a change of the table; nothing where that fails. It would fail again until the
 * stream forgets the change, and keep all behind it waiting. The log says what it is found by, and
 * nothing of what it holds (docs/runbook.md, "Damaged records").
 */
export function readOrPutAside<T>(
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

/** The message of another error might quote what was read. */
function explain(error: unknown): string {
  if (error instanceof DamagedItemError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
