import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import { logger } from '#lib/telemetry/logger.ts';
import { readOrSkip } from '#lib/telemetry/read-or-skip.ts';
import { detectEnd, detectEvents } from './detect-events.ts';
import type { DetectedEvent } from './detected-event.ts';
import { writeEndedJobs } from './ended-jobs-event.ts';
import type { SlipwayEvent } from './event.ts';
import {
  type EventBus,
  EventsNotPublishedError,
  publishEvents,
  writeEvent,
} from './publish-events.ts';

/**
 * Publishes what changes of the table mean, in order. Returns the first record that did not arrive,
 * so the stream delivers again from there.
 */
export async function publishChanges(
  bus: EventBus,
  records: readonly DynamoDBRecord[],
  present: (event: DetectedEvent) => SlipwayEvent,
  waitMs: number,
): Promise<DynamoDBRecord | undefined> {
  const told = listEntries(bus, records, present);
  try {
    const entries = told.map(({ entry }) => entry);
    await publishEvents(bus, entries, { waitMs });
    return undefined;
  } catch (error) {
    if (!(error instanceof EventsNotPublishedError)) throw error;
    // A partial retry does not count as a failed run, so no other log line would say why.
    logger.error('events not published', { error, records: records.length });
    return told[error.firstMissing]?.record ?? records[0];
  }
}

interface ToldChange {
  readonly record: DynamoDBRecord;
  readonly entry: PutEventsRequestEntry;
}

/**
 * Lists entries in the order of the records. All ends go together, in place of the first one. If a
 * later entry fails, they have arrived; if an earlier one fails, they are sent again.
 */
function listEntries(
  bus: EventBus,
  records: readonly DynamoDBRecord[],
  present: (event: DetectedEvent) => SlipwayEvent,
): ToldChange[] {
  const changes = records.flatMap((record) =>
    readOrSkip(record, () => [
      { record, end: detectEnd(record), events: detectEvents(record).map(present) },
    ]),
  );
  const ends = changes.flatMap(({ end }) => end ?? []);
  const firstEnd = changes.find(({ end }) => end);
  return changes.flatMap((change) => {
    const { record, events } = change;
    return [
      ...(change === firstEnd ? [{ record, entry: writeEndedJobs(bus, ends) }] : []),
      ...events.map((event) => ({ record, entry: writeEvent(bus, event) })),
    ];
  });
}
