import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { EventsEnvironment, readEnvironment } from '#lib/config.ts';
import { publishChanges } from '#lib/events/publish-changes.ts';
import { openBus } from '#lib/events/publish-events.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';

const bus = openBus(readEnvironment(EventsEnvironment).EVENT_BUS_NAME);

/** Tells the bus what changes of the table mean. From where it failed the stream tells it again. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const failed = await publishChanges(bus, Records, presentEvent);
  // An empty identifier stands for the whole batch.
  const itemIdentifier = failed?.dynamodb?.SequenceNumber ?? '';
  return { batchItemFailures: failed ? [{ itemIdentifier }] : [] };
}
