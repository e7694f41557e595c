import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import * as v from 'valibot';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import type { DueKey } from '#lib/table/due-index.ts';
import { type EventBus, publishEvents } from './publish-events.ts';

/** Separate from the events for others. Only Slipway listens to this source. */
export const workSource = 'slipway.work';

/** Well below the limit of one entry. */
const jobsPerEntry = 500;

const DueJobs = v.object({
  detail: v.object({
    hpc: v.string(),
    due: v.array(v.object({ PK: v.string(), SK: v.string(), dueAt: v.string() })),
  }),
});

/**
 * Announces due jobs with separate entries for each system. Each system is then handled by its own
 * process, and a slow one does not delay the others.
 */
export async function announceDueJobs(
  bus: EventBus,
  dueBySystem: ReadonlyMap<string, readonly DueKey[]>,
): Promise<void> {
  const entries = [...dueBySystem].flatMap(([hpc, due]) =>
    splitIntoBatches(due, jobsPerEntry).map((batch) => toEntry(bus, hpc, batch)),
  );
  await publishEvents(bus, entries);
}

export function parseDueJobs(event: unknown): v.InferOutput<typeof DueJobs>['detail'] {
  return v.parse(DueJobs, event).detail;
}

function toEntry({ name }: EventBus, hpc: string, due: readonly DueKey[]): PutEventsRequestEntry {
  return {
    EventBusName: name,
    Source: workSource,
    DetailType: 'jobs.due',
    Detail: JSON.stringify({ hpc, due }),
  };
}
