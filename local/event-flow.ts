import type { DynamoDBRecord } from 'aws-lambda';
import { streamArn } from './dynamodb/engine/stream-records.ts';
import { callListeners, type ListenerCalls } from './event-bus/call-listeners.ts';
import type { BusEvent } from './event-bus/put-events.ts';
import { startEventBus } from './event-bus/start-event-bus.ts';
import { loadListeners, loadStreamReaders } from './load-handlers.ts';
import { busName, tableName } from './settings.ts';
import { createStreamSource, type StreamSource } from './stream/stream-source.ts';

export interface EventFlowOptions {
  /** Told of what arrives at the bus. */
  readonly onEvents?: ((events: readonly BusEvent[]) => void) | undefined;
}

export interface EventFlow {
  /** Where the bus listens. */
  readonly endpoint: string;
  take(records: readonly DynamoDBRecord[]): void;
  /** Loads the functions, which read the environment on loading. */
  connect(): Promise<void>;
  /** Ends when all that was taken has arrived, or was given up. */
  close(): Promise<void>;
}

/** What AWS does between the functions: the table's stream calls some, and the bus calls others. */
export async function startEventFlow({ onEvents }: EventFlowOptions): Promise<EventFlow> {
  let source: StreamSource | undefined;
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
    take(records) {
      const ours = streamArn(tableName);
      source?.take(records.filter(({ eventSourceARN }) => eventSourceARN === ours));
    },
    async connect() {
      listeners = callListeners(await loadListeners());
      source = createStreamSource(await loadStreamReaders());
    },
    async close() {
      await source?.drain();
      await listeners?.drain();
      await bus.close();
    },
  };
}
