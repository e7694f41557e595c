import type { Job } from '#lib/jobs/job.ts';
import { jobFromItem } from '#lib/jobs/job-item.ts';
import type { DetectedEvent } from './detected-event.ts';
import type { ItemChange } from './item-change.ts';

export function detectJobEvents({ id, at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  const job = jobFromItem(newItem);
  const { owner, jobId } = job;
  if (oldItem === undefined) {
    // A job that appears as an ended one was brought in, and not submitted.
    return job.terminal
      ? []
      : [{ type: 'job.submitted', id: `${jobId}-submitted`, owner, at, job }];
  }
  const before = jobFromItem(oldItem);
  const events: DetectedEvent[] = [];
  if (job.stage !== before.stage) {
    // A system may put a job back, so that it meets a stage twice: the stage alone is no name for it.
    const changeId = `${jobId}-${job.stage}-${id}`;
    const previousStage = before.stage;
    events.push({ type: 'job.stage-changed', id: changeId, owner, at, job, previousStage });
  }
  if (hasEnded(before, job))
    events.push({ type: 'job.ended', id: `${jobId}-ended`, owner, at, job });
  return events;
}

/** Once in a job's life: from a terminal stage it goes nowhere but to DELETED. */
function hasEnded(before: Job, after: Job): boolean {
  return after.terminal && !before.terminal;
}
