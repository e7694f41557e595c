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
const longestPauseMs = 5_000;

const connection = openProvided((_client: EventBridgeClient): void => undefined);

/** Sends to a bus in this process. */
export const publishInProcess = connection.provide;

/** By default, the endpoint comes from the SDK's AWS_ENDPOINT_URL_EVENTBRIDGE. */
export function openBus(name: string, options?: ClientOptions): EventBus {
  const client = openClient(EventBridgeClient, options);
  connection.inUse()(client);
  return { client, name };
}

export interface Patience {
  /** For how long to wait, in all, for a bus that is away or busy. Without it, some tries must do. */
  readonly waitMs?: number;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Publishes at least once, in order as far as the bus keeps one. Throws unless all events arrive.
 */
export async function publishEvents(
  bus: EventBus,
  entries: readonly PutEventsRequestEntry[],
  { waitMs = 0, pause = sleep }: Patience = {},
): Promise<void> {
  const placed = entries.map((entry, place) => ({ place, entry }));
  let waited = 0;
  const wait = async (ms: number): Promise<void> => {
    waited += ms;
    await pause(ms);
  };
  for (const batch of splitIntoBatches(placed, batchSize)) {
    await putBatch(bus, batch, wait, () => waited < waitMs);
  }
}

interface PlacedEntry {
  readonly place: number;
  readonly entry: PutEventsRequestEntry;
}

/** The bus accepts each entry separately, so only the refused ones are sent again. */
async function putBatch(
  bus: EventBus,
  entries: readonly PlacedEntry[],
  wait: (ms: number) => Promise<void>,
  hasTime: () => boolean,
): Promise<void> {
  let left = entries;
  for (let count = 1; ; count += 1) {
    const failure = await tryBatch(bus, left);
    if (!failure) return;
    const { error, passes, isAnswer } = failure;
    left = failure.left;
    // The SDK has repeated a call without an answer.
    const mayTry = (isAnswer && count < maxTries) || (passes && hasTime());
    if (!mayTry) throw error;
    await wait(Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs));
  }
}

interface Failure {
  readonly left: readonly PlacedEntry[];
  readonly error: EventsNotPublishedError;
  /** Whether it is about the bus, and not about what was sent. */
  readonly passes: boolean;
  readonly isAnswer: boolean;
}

async function tryBatch(
  { client }: EventBus,
  entries: readonly PlacedEntry[],
): Promise<Failure | undefined> {
  try {
    const Entries = entries.map(({ entry }) => entry);
    const { Entries: results = [] } = await client.send(new PutEventsCommand({ Entries }));
    // An entry without an id has not arrived, whatever else the response says.
    const left = entries.filter((_, index) => results[index]?.EventId === undefined);
    if (left.length === 0) return undefined;
    const codes = listCodes(results);
    const refusal = `The bus refused ${left.length} events: ${codes.join(', ')}`;
    const error = new EventsNotPublishedError(refusal, firstOf(left));
    return { left, error, passes: codes.every(isPassing), isAnswer: true };
  } catch (cause) {
    const error = new EventsNotPublishedError('The bus did not answer.', firstOf(entries), {
      cause,
    });
    const isRefused = cause instanceof Error && '$fault' in cause && cause.$fault === 'client';
    const passes = !isRefused || isPassing(cause.name);
    return { left: entries, error, passes, isAnswer: false };
  }
}

function isPassing(code: string): boolean {
  return /Throttl|Internal|Unavailable/.test(code);
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
