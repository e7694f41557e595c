import type { StreamReader } from '#functions/streams.ts';
import type { ChangeStream, Wanted } from './dynamodb/store/change-stream.ts';
import { streamArn } from './dynamodb/store/change-stream.ts';
import { callListeners, type ListenerCalls } from './event-bus/call-listeners.ts';
import type { BusEvent } from './event-bus/put-events.ts';
import { startEventBus } from './event-bus/start-event-bus.ts';
import { loadListeners, loadStreamReaders } from './load-handlers.ts';
import { busName, tableName } from './settings.ts';
import { type Drained, drainAll } from './stream/drain-all.ts';
import { matchesFilter } from './stream/matches-filter.ts';
import { startFollowing } from './stream/start-following.ts';

export interface EventFlowOptions {
  /** Told of what arrives at the bus. */
  readonly onEvents?: ((events: readonly BusEvent[]) => void) | undefined;
}

export interface EventFlow {
  /** Where the bus listens. */
  readonly endpoint: string;
  /** Loads the functions, which read the environment on loading. */
  connect(stream: ChangeStream): Promise<void>;
  /** Ends when all that was taken has arrived, or after a few seconds: the rest comes at the next start. */
  close(): Promise<void>;
}

/** What AWS does between the functions: the table's stream calls some, and the bus calls others. */
export async function startEventFlow({ onEvents }: EventFlowOptions): Promise<EventFlow> {
  let followers: readonly Drained[] = [];
  let listeners: ListenerCalls | undefined;
  const bus = await startEventBus({
    name: busName,
    onEvents: (events) => {
      onEvents?.(events);
      listeners?.take(events);
    },
  });
  return {
    endpoint: bus.endpoint,
    async connect(stream) {
      const calls = callListeners(await loadListeners());
      listeners = calls;
      followers = startFollowing(stream, await loadStreamReaders(), calls.settled);
    },
    async close() {
      await drainAll([...followers, ...(listeners?.queues ?? [])]);
      await bus.close();
    },
  };
}

/** What some function reads of the changes of our table. */
export async function chooseWanted(): Promise<Wanted> {
  const { streams } = await import('#functions/streams.ts');
  const readers: readonly StreamReader[] = Object.values(streams);
  const filters = readers.flatMap((reader) => reader.filters);
  const ours = streamArn(tableName);
  return (record) =>
    record.eventSourceARN === ours && filters.some((filter) => matchesFilter(record, filter));
}
