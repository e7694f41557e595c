import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import * as v from 'valibot';
import { jobOutcomes } from '#lib/quotas/job-outcomes.ts';
import type { EndedJob } from '#lib/reports/ended-job.ts';
import {
  StoredJobId,
  StoredProjectName,
  StoredSystemName,
  StoredUserId,
} from '#lib/table/stored-names.ts';
import type { EventBus } from './publish-events.ts';

/** Separate from the events for others and from work. Only the counting of ends listens to this. */
export const endsSource = 'slipway.ends';

const EndedJobs = v.object({
  detail: v.object({
    ends: v.array(
      v.object({
        account: v.object({
          user: StoredUserId,
          hpc: StoredSystemName,
          project: StoredProjectName,
        }),
        jobId: StoredJobId,
        at: v.pipe(
          v.string(),
          v.isoTimestamp(),
          v.transform((text) => new Date(text)),
        ),
        used: v.number(),
        asked: v.exactOptional(v.number()),
        outcome: v.picklist(jobOutcomes),
        waited: v.exactOptional(v.number()),
        ran: v.exactOptional(v.number()),
        cost: v.exactOptional(v.object({ held: v.number(), used: v.number() })),
      }),
    ),
  }),
});

/** Puts several ends into one entry, so a batch is added up before it is written. */
export function writeEndedJobs(
  { name }: EventBus,
  ends: readonly EndedJob[],
): PutEventsRequestEntry {
  return {
    EventBusName: name,
    Source: endsSource,
    DetailType: 'jobs.ended',
    Detail: JSON.stringify({ ends }),
  };
}

export function parseEndedJobs(event: unknown): EndedJob[] {
  return v.parse(EndedJobs, event).detail.ends;
}
