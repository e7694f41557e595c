import type { DynamoDBStreamEvent } from 'aws-lambda';
import { EventsEnvironment, readEnvironment } from '#lib/config.ts';
import { announceDueJobs } from '#lib/events/due-jobs-event.ts';
import { openBus } from '#lib/events/publish-events.ts';
import { groupDueJobs } from '#lib/jobs/run/sweep/due-jobs.ts';

const bus = openBus(readEnvironment(EventsEnvironment).EVENT_BUS_NAME);

/**
 * Has new jobs handed over as soon as they are written, and cancels told. It calls no HPC system
 * itself: a batch holds the jobs of several, and would wait for the slowest of them.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  await announceDueJobs(bus, groupDueJobs(Records, new Date()));
}
