import type { DynamoDBStreamEvent } from 'aws-lambda';
import { EventsEnvironment, readEnvironment } from '#lib/config.ts';
import { announceDueJobs } from '#lib/events/due-jobs-event.ts';
import { openBus } from '#lib/events/publish-events.ts';
import { groupDueJobs } from '#lib/jobs/run/sweep/due-jobs.ts';

const bus = openBus(readEnvironment(EventsEnvironment).EVENT_BUS_NAME);

/**
 * Announces new and cancelled jobs on the bus as soon as they are written. Does not call HPC
 * systems itself, because a batch contains jobs of several systems and would wait for the slowest.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  await announceDueJobs(bus, groupDueJobs(Records, new Date()));
}
