import type { DynamoDBStreamEvent } from 'aws-lambda';
import { EventsEnvironment, readEnvironment } from '#lib/config.ts';
import { detectEvents } from '#lib/events/detect-events.ts';
import { openBus, publishEvents } from '#lib/events/publish-events.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';

const bus = openBus(readEnvironment(EventsEnvironment).EVENT_BUS_NAME);

/** Tells the bus what changes of the table mean. Where it fails, the stream tells it again. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  await publishEvents(bus, Records.flatMap(detectEvents).map(presentEvent));
}
