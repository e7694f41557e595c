import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import * as v from 'valibot';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { StoredAwaitedId, StoredUserId } from '#lib/table/stored-names.ts';
import { type EventBus, publishEvents } from './publish-events.ts';

/** Separate from the events for others. Only the check of waiting jobs listens to this. */
export const chainsSource = 'slipway.chains';

/** Well below the limit of one entry. */
const namesPerEntry = 500;

/** What one call of the function can fetch. Other jobs are in other calls, and need not wait. */
const fetchesPerEntry = 20;

const WaitingJobs = v.object({
  detail: v.object({
    owner: StoredUserId,
    /** Jobs and batches that others wait for, and that have ended. */
    ended: v.array(StoredAwaitedId),
    /** Lives of waiting jobs that can be checked at once. */
    waiting: v.array(v.object({ PK: v.string(), SK: v.string() })),
  }),
});

type WaitingJobs = v.InferOutput<typeof WaitingJobs>['detail'];

interface News extends WaitingJobs {
  /** Lives of waiting jobs for which files are fetched. */
  readonly fetching: WaitingJobs['waiting'];
}

/** Announces, separately for each owner, which waits may be over. */
export async function announceWaitingJobs(bus: EventBus, news: readonly News[]): Promise<void> {
  const entries = news.flatMap(({ owner, ended, waiting, fetching }) => [
    ...splitIntoBatches(ended, namesPerEntry).map((some) =>
      toEntry(bus, { owner, ended: some, waiting: [] }),
    ),
    ...splitIntoBatches(waiting, namesPerEntry).map((some) =>
      toEntry(bus, { owner, ended: [], waiting: some }),
    ),
    ...splitIntoBatches(fetching, fetchesPerEntry).map((some) =>
      toEntry(bus, { owner, ended: [], waiting: some }),
    ),
  ]);
  await publishEvents(bus, entries);
}

export function parseWaitingJobs(event: unknown): WaitingJobs {
  return v.parse(WaitingJobs, event).detail;
}

function toEntry({ name }: EventBus, detail: WaitingJobs): PutEventsRequestEntry {
  return {
    EventBusName: name,
    Source: chainsSource,
    DetailType: 'jobs.waiting',
    Detail: JSON.stringify(detail),
  };
}
