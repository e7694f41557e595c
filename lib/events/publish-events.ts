import { setTimeout as sleep } from 'node:timers/promises';
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import type { SlipwayEvent } from './event.ts';

export interface EventBus {
  readonly client: EventBridgeClient;
  readonly name: string;
}

/** Some events did not reach the bus. Whoever wanted them sent must send all of them again. */
export class EventsNotPublishedError extends DomainError {
  override readonly name = 'EventsNotPublishedError';
  constructor(count: number, codes: readonly string[]) {
    super(`The bus refused ${count} events: ${codes.join(', ')}`);
  }
}

export const eventSource = 'slipway';

/** What one call may carry. */
const batchSize = 10;

const attempts = 3;
const firstPauseMs = 100;

/** The endpoint comes from the SDK's own AWS_ENDPOINT_URL_EVENTBRIDGE. */
export function openBus(name: string): EventBus {
  const client = new EventBridgeClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000 },
  });
  return { client, name };
}

/** At least once, and in order as far as the bus keeps one. Throws unless all have arrived. */
export async function publishEvents(
  bus: EventBus,
  events: readonly SlipwayEvent[],
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  const entries = events.map((event) => toEntry(bus, event));
  await putEntries(bus, entries, pause);
}

export async function putEntries(
  bus: EventBus,
  entries: readonly PutEventsRequestEntry[],
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  for (const batch of splitIntoBatches(entries, batchSize)) await putBatch(bus, batch, pause);
}

/** The bus takes each entry by itself: what it refused is sent again, and nothing else. */
async function putBatch(
  { client }: EventBus,
  entries: readonly PutEventsRequestEntry[],
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  let left = entries;
  for (let attempt = 1; ; attempt += 1) {
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [...left] }));
    // What was given no id has not arrived, whatever else the answer says of it.
    left = left.filter((_, index) => Entries[index]?.EventId === undefined);
    if (left.length === 0) return;
    if (attempt === attempts) throw new EventsNotPublishedError(left.length, listCodes(Entries));
    await pause(firstPauseMs * 2 ** (attempt - 1));
  }
}

function listCodes(results: readonly PutEventsResultEntry[]): string[] {
  const codes = results.flatMap(({ ErrorCode }) => (ErrorCode === undefined ? [] : [ErrorCode]));
  return [...new Set(codes)];
}

function toEntry({ name }: EventBus, event: SlipwayEvent): PutEventsRequestEntry {
  const { id, type, owner, at, data } = event;
  return {
    EventBusName: name,
    Source: eventSource,
    DetailType: type,
    Time: at,
    Detail: JSON.stringify({ id, type, owner, at: at.toISOString(), data }),
  };
}
