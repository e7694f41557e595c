import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { StreamFilter } from '#functions/streams.ts';
import { createDeliveryQueue, drainAll } from './delivery-queue.ts';
import { matchesFilter } from './matches-filter.ts';

/** A function of functions/streams.ts, loaded. */
export interface LoadedReader {
  readonly name: string;
  readonly filters: readonly StreamFilter[];
  handler(event: DynamoDBStreamEvent): Promise<unknown>;
}

export interface StreamSource {
  take(records: readonly DynamoDBRecord[]): void;
  /** Resolves when every reader has been told of everything. */
  drain(): Promise<void>;
}

/** Lambda's own default. */
const batchSize = 100;

/**
 * Between the stream of the embedded table and the functions that read it. It is held in memory: a
 * process that is killed loses what it had not yet delivered. Jobs do not need it, for the clock
 * finds them by the table; events are lost then.
 */
export function createStreamSource(readers: readonly LoadedReader[]): StreamSource {
  const queues = readers.map(({ name, filters, handler }) => ({
    filters,
    queue: createDeliveryQueue<DynamoDBRecord>({
      name,
      batchSize,
      deliver: (Records) => handler({ Records }),
    }),
  }));
  return {
    take(records) {
      for (const { filters, queue } of queues) {
        queue.put(records.filter((record) => filters.some((each) => matchesFilter(record, each))));
      }
    },
    drain: () => drainAll(queues.map(({ queue }) => queue)),
  };
}
