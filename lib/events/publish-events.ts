import { setTimeout as sleep } from 'node:timers/promises';
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import { type ClientOptions, openClient } from '#lib/outbound/open-client.ts';
import type { SlipwayEvent } from './event.ts';

export interface EventBus {
  readonly client: EventBridgeClient;
  readonly name: string;
}

/** Some events did not reach the bus: all before `firstMissing` did, and some behind it may have. */
export class EventsNotPublishedError extends DomainError {
  override readonly name = 'EventsNotPublishedError';
  /** Its place among those that were to be sent. */
  readonly firstMissing: number;
  constructor(message: string, firstMissing: number, options?: ErrorOptions) {
    super(message, options);
    this.firstMissing = firstMissing;
  }
}

export const eventSource = 'slipway';

/** What one call may carry. */
const batchSize = 10;

const attempts = 3;
const firstPauseMs = 100;

const overHttp = (_client: EventBridgeClient): void => undefined;

let connect: (client: EventBridgeClient) => void = overHttp;

/**
 * For a process that has the bus in itself, before its functions are loaded. Without a connection
 * it is over HTTP again.
 */
export function publishInProcess(connection = overHttp): void {
  connect = connection;
}

/** Unless it is said, the endpoint comes from the SDK's own AWS_ENDPOINT_URL_EVENTBRIDGE. */
export function openBus(name: string, options?: ClientOptions): EventBus {
  const client = openClient(EventBridgeClient, options);
  connect(client);
  return { client, name };
}

/** At least once, and in order as far as the bus keeps one. Throws unless all have arrived. */
export async function publishEvents(
  bus: EventBus,
  entries: readonly PutEventsRequestEntry[],
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  const placed = entries.map((entry, place) => ({ place, entry }));
  for (const batch of splitIntoBatches(placed, batchSize)) await putBatch(bus, batch, pause);
}

interface PlacedEntry {
  readonly place: number;
  readonly entry: PutEventsRequestEntry;
}

/** The bus takes each entry by itself: what it refused is sent again, and nothing else. */
async function putBatch(
  bus: EventBus,
  entries: readonly PlacedEntry[],
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  let left = entries;
  for (let attempt = 1; ; attempt += 1) {
    const results = await callBus(bus, left);
    // What was given no id has not arrived, whatever else the answer says of it.
    left = left.filter((_, index) => results[index]?.EventId === undefined);
    if (left.length === 0) return;
    if (attempt === attempts) {
      const refusal = `The bus refused ${left.length} events: ${listCodes(results).join(', ')}`;
      throw new EventsNotPublishedError(refusal, firstOf(left));
    }
    await pause(firstPauseMs * 2 ** (attempt - 1));
  }
}

async function callBus(
  { client }: EventBus,
  entries: readonly PlacedEntry[],
): Promise<readonly PutEventsResultEntry[]> {
  try {
    const Entries = entries.map(({ entry }) => entry);
    const answer = await client.send(new PutEventsCommand({ Entries }));
    return answer.Entries ?? [];
  } catch (cause) {
    throw new EventsNotPublishedError('The bus did not answer.', firstOf(entries), { cause });
  }
}

function firstOf([first]: readonly PlacedEntry[]): number {
  return first?.place ?? 0;
}

function listCodes(results: readonly PutEventsResultEntry[]): string[] {
  const codes = results.flatMap(({ ErrorCode }) => (ErrorCode === undefined ? [] : [ErrorCode]));
  return [...new Set(codes)];
}

export function writeEvent({ name }: EventBus, event: SlipwayEvent): PutEventsRequestEntry {
  const { id, type, owner, at, data } = event;
  return {
    EventBusName: name,
    Source: eventSource,
    DetailType: type,
    Time: at,
    Detail: JSON.stringify({ id, type, owner, at: at.toISOString(), data }),
  };
}
