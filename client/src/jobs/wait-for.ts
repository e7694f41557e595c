import { writePath } from '../calls/call.ts';
import { pause } from '../calls/insist.ts';
import { parseObject, send } from '../calls/send.ts';
import type { Settings } from '../calls/settings.ts';
import { operationTable } from '../generated/operation-table.ts';
import type { Batch, Job } from '../generated/operations.ts';
import { placeOf } from './submission.ts';

export interface WaitOptions<Awaited = Job> {
  /** Called at every change that is seen: of a job's stage, or of a batch's counts. */
  readonly onChange?: (awaited: Awaited) => void;
  readonly signal?: AbortSignal;
}

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/**
 * Polls until a job or all jobs of a batch have ended. Backs off, and speeds up again while
 * something changes. A batch takes one request a round, however many jobs it has.
 */
export async function waitFor<Awaited extends Job | Batch>(
  settings: Settings,
  awaited: Awaited,
  { onChange, signal }: WaitOptions<Awaited> = {},
): Promise<Awaited> {
  const { getJob, getBatch } = operationTable.GET;
  const path = writePath('stage' in awaited ? getJob : getBatch, { ...placeOf(awaited) });
  const { pause: wait = pause } = settings;
  let seen = awaited;
  let ms = firstPauseMs;
  while (!hasEnded(seen)) {
    await wait(ms, signal);
    const answer = await send(settings, { method: 'GET', path, signal });
    const now = parseObject<Awaited>(answer, 'init_date');
    const changed = stateOf(now) !== stateOf(seen);
    if (changed) onChange?.(now);
    ms = changed ? firstPauseMs : Math.min(longestPauseMs, ms * 1.5);
    seen = now;
  }
  return seen;
}

function hasEnded(seen: Job | Batch): boolean {
  return 'stage' in seen ? seen.terminal_stage : seen.end_date !== null;
}

function stateOf(seen: Job | Batch): string {
  return 'stage' in seen ? seen.stage : JSON.stringify(seen.counts);
}
