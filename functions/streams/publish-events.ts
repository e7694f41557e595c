import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { EventsEnvironment, readEnvironment } from '#lib/config.ts';
import { publishChanges } from '#lib/events/publish-changes.ts';
import { openBus } from '#lib/events/publish-events.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';

const bus = openBus(readEnvironment(EventsEnvironment).EVENT_BUS_NAME);

/** For the last try, and for the answer. */
const reserveMs = 15_000;

/**
 * Publishes changes of the table as events. After a failure, the stream retries from that record, but
 * not forever, so a run waits for a bus that is away.
 */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context: { getRemainingTimeInMillis(): number },
): Promise<DynamoDBBatchResponse> {
  const waitMs = context.getRemainingTimeInMillis() - reserveMs;
  const failed = await publishChanges(bus, Records, presentEvent, waitMs);
  // An empty identifier makes Lambda retry the whole batch.
  const itemIdentifier = failed?.dynamodb?.SequenceNumber ?? '';
  return { batchItemFailures: failed ? [{ itemIdentifier }] : [] };
}
