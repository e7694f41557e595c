import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { StreamFilter } from '#functions/streams.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import type { StreamedRecord } from '../dynamodb/store/change-stream.ts';
import { type CallContext, makeCallContext } from './call-listeners.ts';
import { type Drained, deliverOrGiveUp } from './delivery-queue.ts';

/** A loaded function of functions/streams.ts. */
export interface LoadedReader {
  readonly name: string;
  readonly filters: readonly StreamFilter[];
  handler(event: DynamoDBStreamEvent, context: CallContext): Promise<unknown>;
}

/** The stream as readers see it. The table may be in another thread. */
export interface FollowedStream {
  setReaders(names: readonly string[]): void;
  positionOf(reader: string): number;
  read(after: number, count: number): StreamedRecord[] | Promise<StreamedRecord[]>;
  moveTo(reader: string, position: number): Promise<void>;
  onCommit(listener: () => void): void;
}

/** Lambda's default. */
const batchSize = 100;

const context = makeCallContext(() => awaitShutdown().aborted);

/**
 * Delivers every matching record to a function, in order, at least once. The position is saved only
 * after `settled` resolves, which covers work that the function started without waiting. So after a
 * kill, unfinished records are delivered again.
 */
function followStream(
  stream: FollowedStream,
  { name, filters, handler }: LoadedReader,
  settled: () => Promise<unknown>,
) {
  let position = stream.positionOf(name);
  let running: Promise<void> | undefined;
  let settling = Promise.resolve();
  let unsettled = 0;
  let stopped = false;
  const draining = new AbortController();

  const keepPlace = async (place: number): Promise<void> => {
    unsettled += 1;
    await settled();
    try {
      if (!stopped) await stream.moveTo(name, place);
    } catch {
      // The disk is full. The next batch saves the position, or this one is delivered again.
    }
    unsettled -= 1;
  };
  const deliverNext = async (): Promise<boolean> => {
    const batch = await stream.read(position, batchSize);
    const last = batch.at(-1);
    if (!last) return false;
    const records = batch
      .map(({ record }) => record)
      .filter((record) => filters.some((filter) => matchesFilter(record, filter)));
    if (records.length > 0) {
      await deliverOrGiveUp({
        name,
        count: records.length,
        deliver: tellReader(handler, records),
        hurry: draining.signal,
      });
    }
    position = last.position;
    settling = keepPlace(last.position);
    return true;
  };
  const run = async (): Promise<void> => {
    // Lets the writer continue first, because it may write more.
    await nextTurn();
    try {
      while (!stopped && (await deliverNext()));
    } catch (error) {
      // A damaged table must not end the process, so that /status/ can report it.
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${name} cannot read the changes of the table: ${reason}\n`);
    }
    running = undefined;
  };
  return {
    /** Checks for new records. */
    wake() {
      if (!stopped) running ??= run();
    },
    get isEmpty() {
      return running === undefined && (stopped || unsettled === 0);
    },
    async drain(giveUp: AbortSignal) {
      draining.abort();
      const { promise: givenUp, resolve } = Promise.withResolvers<void>();
      const stop = (): void => {
        stopped = true;
        resolve();
      };
      if (giveUp.aborted) stop();
      giveUp.addEventListener('abort', stop, { once: true });
      while (running) await running;
      await Promise.race([settling, givenUp]);
      giveUp.removeEventListener('abort', stop);
    },
  };
}

/** The response of a function that failed for some records. */
const Answer = v.object({
  batchItemFailures: v.array(v.object({ itemIdentifier: v.string() })),
});

/**
 * Calls a function with the records. After a failure, retries from the first record that the
 * function reported, as AWS does.
 */
function tellReader(
  handler: LoadedReader['handler'],
  records: readonly DynamoDBRecord[],
): () => Promise<void> {
  let left = records;
  return async () => {
    const answer = v.safeParse(Answer, await handler({ Records: [...left] }, context));
    const failures = answer.success ? answer.output.batchItemFailures : [];
    if (failures.length === 0) return;
    const places = failures.map(({ itemIdentifier }) => findPlace(left, itemIdentifier));
    left = left.slice(Math.min(...places));
    throw new Error(`${left.length} changes are to be told again.`);
  };
}

/** Finds a failed record. For an unknown identifier, returns 0 to retry the whole batch. */
function findPlace(records: readonly DynamoDBRecord[], itemIdentifier: string): number {
  const place = records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier);
  return Math.max(0, place);
}

/** Applies a filter as the event source of a deployed function does. */
export function matchesFilter(record: DynamoDBRecord, filter: StreamFilter): boolean {
  const { itemType, flag, kind } = filter;
  const eventNames: readonly unknown[] = filter.eventName;
  const item = record.dynamodb?.NewImage;
  return (
    eventNames.includes(record.eventName) &&
    item !== undefined &&
    [itemType].flat().some((type) => item.type?.S === type) &&
    (flag === undefined || item[flag]?.BOOL === true) &&
    (kind === undefined || item.kind?.S === kind)
  );
}

/** Connects the stream of the embedded table with the functions that read it. */
export function startFollowing(
  stream: FollowedStream,
  readers: readonly LoadedReader[],
  settled: () => Promise<unknown> = async () => undefined,
): readonly Drained[] {
  stream.setReaders(readers.map(({ name }) => name));
  const followers = readers.map((reader) => followStream(stream, reader, settled));
  const wakeAll = (): void => {
    for (const follower of followers) follower.wake();
  };
  stream.onCommit(wakeAll);
  // Deliver the records that the previous process left.
  wakeAll();
  return followers;
}
