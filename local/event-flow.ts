import * as v from 'valibot';
import type { StreamReader } from '#functions/streams.ts';
import { publishInProcess } from '#lib/events/publish-events.ts';
import { streamArn, type Wanted } from './dynamodb/store/change-stream.ts';
import { loadListeners, loadStreamReaders } from './load-handlers.ts';
import { busName, tableName } from './names.ts';
import { callListeners, type LoadedListener } from './stream/call-listeners.ts';
import { drainAll } from './stream/delivery-queue.ts';
import { type FollowedStream, matchesFilter, startFollowing } from './stream/follow-stream.ts';
import { type BusEvent, PutEventsRequest, putEvents } from './stream/put-events.ts';

export interface EventFlowOptions {
  /** Called with the events that arrive at the bus. */
  readonly onEvents?: ((events: readonly BusEvent[]) => void) | undefined;
  /** What the bus calls besides the functions. */
  readonly listener?: LoadedListener | undefined;
}

export interface EventFlow {
  /**
   * Resolves when all events are delivered, or after about a second. The rest is delivered at the
   * next start.
   */
  close(): Promise<void>;
}

/**
 * Connects the functions as AWS does: the table's stream calls some, and the bus calls others. Call
 * it after setting the environment, which the functions read on loading.
 */
export async function startEventFlow(
  stream: FollowedStream,
  { onEvents, listener }: EventFlowOptions,
): Promise<EventFlow> {
  const listeners = callListeners([...(await loadListeners()), ...(listener ? [listener] : [])]);
  const send = async ({ input }: { readonly input: unknown }): Promise<object> => {
    const { events, answer } = putEvents(v.parse(PutEventsRequest, input), busName, new Date());
    onEvents?.(events);
    listeners.take(events);
    return answer;
  };
  publishInProcess((client) => Object.assign(client, { send }));
  const followers = startFollowing(stream, await loadStreamReaders(), listeners.settled);
  return {
    async close() {
      await drainAll([...followers, ...listeners.queues]);
      publishInProcess();
    },
  };
}

/** Selects the changes of our table that some function reads. */
export async function chooseWanted(): Promise<Wanted> {
  const { streams } = await import('#functions/streams.ts');
  const readers: readonly StreamReader[] = Object.values(streams);
  const filters = readers.flatMap((reader) => reader.filters);
  const ours = streamArn(tableName);
  return (record) =>
    record.eventSourceARN === ours && filters.some((filter) => matchesFilter(record, filter));
}
