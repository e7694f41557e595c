import type { DynamoDBStreamEvent } from 'aws-lambda';
import { EventsEnvironment, readEnvironment } from '#lib/config.ts';
import { announceDueBatches, findDueBatches } from '#lib/events/due-batches-event.ts';
import { announceDueJobs } from '#lib/events/due-jobs-event.ts';
import { openBus } from '#lib/events/publish-events.ts';
import { announceWaitingJobs } from '#lib/events/waiting-jobs-event.ts';
import { groupWaitNews } from '#lib/jobs/chains/detect-news.ts';
import { groupDueJobs } from '#lib/jobs/run/sweep/due-jobs.ts';

const bus = openBus(readEnvironment(EventsEnvironment).EVENT_BUS_NAME);

/**
 * Announces on the bus what can be done at once: new and cancelled jobs, ends that others wait for,
 * and batches. Does not call HPC systems itself, because the records are about several systems and
 * would wait for the slowest.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  const now = new Date();
  await announceDueJobs(bus, groupDueJobs(Records, now));
  await announceWaitingJobs(bus, groupWaitNews(Records, now));
  await announceDueBatches(bus, findDueBatches(Records));
}
