import { writePath } from '../calls/call.ts';
import { pause } from '../calls/insist.ts';
import { parseObject, send } from '../calls/send.ts';
import type { Settings } from '../calls/settings.ts';
import type { Job } from '../generated/operations.ts';
import { placeOf } from './submission.ts';

export interface WaitOptions {
  /** Called at every stage that is seen. */
  readonly onChange?: (job: Job) => void;
  readonly signal?: AbortSignal;
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** Polls until a job has ended. Backs off, and speeds up again while something changes. */
export async function waitFor(
  settings: Settings,
  job: Job,
  { onChange, signal }: WaitOptions = {},
): Promise<Job> {
  const path = writePath('/jobs/{hpc}/{project_name}/{job_id}/', placeOf(job));
  const { pause: wait = pause } = settings;
  let seen = job;
  let ms = firstPauseMs;
  while (!seen.terminal_stage) {
    await wait(ms, signal);
    const answer = await send(settings, { method: 'GET', path, signal });
    const now = parseObject<Job>(answer, 'stage');
    const changed = now.stage !== seen.stage;
    if (changed) onChange?.(now);
    ms = changed ? firstPauseMs : Math.min(longestPauseMs, ms * 1.5);
    seen = now;
  }
  return seen;
}
