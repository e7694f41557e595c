import { setTimeout as sleep } from 'node:timers/promises';
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import { openProvided } from '#lib/outbound/in-process.ts';
import { type ClientOptions, openClient } from '#lib/outbound/open-client.ts';
import type { SlipwayEvent } from './event.ts';

export interface EventBus {
  readonly client: EventBridgeClient;
  readonly name: string;
}

/** Some events did not reach the bus. All before `firstMissing` did, and some after it may have. */
export class EventsNotPublishedError extends DomainError {
  override readonly name = 'EventsNotPublishedError';
  /** The index among the events to send. */
  readonly firstMissing: number;
  constructor(message: string, firstMissing: number, options?: ErrorOptions) {
    super(message, options);
    this.firstMissing = firstMissing;
  }
}

export const eventSource = 'slipway';

/** The limit of one call. */
const batchSize = 10;

const maxTries = 3;
const firstPauseMs = 100;

const connection = openProvided((_client: EventBridgeClient): void => undefined);

/** Sends to a bus in this process. */
export const publishInProcess = connection.provide;

/** By default, the endpoint comes from the SDK's AWS_ENDPOINT_URL_EVENTBRIDGE. */
export function openBus(name: string, options?: ClientOptions): EventBus {
  const client = openClient(EventBridgeClient, options);
  connection.inUse()(client);
  return { client, name };
}

/**
 * Publishes at least once, in order as far as the bus keeps one. Throws unless all events arrive.
 */
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

/** The bus accepts each entry separately, so only the refused ones are sent again. */
async function putBatch(
  bus: EventBus,
  entries: readonly PlacedEntry[],
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  let left = entries;
  for (let count = 1; ; count += 1) {
    const results = await callBus(bus, left);
    // An entry without an id has not arrived, whatever else the response says.
    left = left.filter((_, index) => results[index]?.EventId === undefined);
    if (left.length === 0) return;
    if (count === maxTries) {
      const refusal = `The bus refused ${left.length} events: ${listCodes(results).join(', ')}`;
      throw new EventsNotPublishedError(refusal, firstOf(left));
    }
    await pause(firstPauseMs * 2 ** (count - 1));
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
