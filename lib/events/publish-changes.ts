import type { DynamoDBRecord } from 'aws-lambda';
import { logger } from '#lib/telemetry/logger.ts';
import { readOrPutAside } from '#lib/telemetry/read-or-put-aside.ts';
import { detectEvents } from './detect-events.ts';
import type { DetectedEvent } from './detected-event.ts';
import type { SlipwayEvent } from './event.ts';
import { type EventBus, EventsNotPublishedError, publishEvents } from './publish-events.ts';

/**
 * Tells the bus what changes of the table mean, in their order. Returns the first of them that has
 * not arrived, from which on the stream must tell them again; nothing where all have.
 */
export async function publishChanges(
  bus: EventBus,
  records: readonly DynamoDBRecord[],
  present: (event: DetectedEvent) => SlipwayEvent,
): Promise<DynamoDBRecord | undefined> {
  const told = records.flatMap((record) =>
    readOrPutAside(record, () => detectEvents(record).map(present)).map((event) => ({
      record,
      event,
    })),
  );
  try {
    const events = told.map(({ event }) => event);
    await publishEvents(bus, events);
    return undefined;
  } catch (error) {
    if (!(error instanceof EventsNotPublishedError)) throw error;
    // A batch that is told again from somewhere on is no failed run: no other line would say why.
    logger.error('events not published', { error, records: records.length });
    return told[error.firstMissing]?.record ?? records[0];
  }
}
