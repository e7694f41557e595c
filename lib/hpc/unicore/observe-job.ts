import { addSeconds } from '#lib/time/add-seconds.ts';
import type { Observation } from '../connector.ts';
import type { UnicoreJob } from './read-answer.ts';

const living = new Set(['READY', 'STAGINGIN', 'QUEUED', 'RUNNING', 'STAGINGOUT']);

/** UNDEFINED, UNKNOWN and words that nobody has heard of say nothing. */
export function observeJob(job: UnicoreJob): Observation | undefined {
  const stage = job.status;
  if (living.has(stage)) return { state: 'living', stage, ...tellReason(job) };
  if (stage !== 'SUCCESSFUL' && stage !== 'FAILED') return undefined;
  const usedSeconds = readSeconds(job.consumedTime.main);
  const endedAt = findEnd(job);
  return {
    state: 'ended',
    stage,
    failed: stage === 'FAILED',
    ...tellReason(job),
    ...(usedSeconds !== undefined && { usedSeconds }),
    ...(endedAt && { endedAt }),
  };
}

/** There is no time of the end itself: it is the submission and all that was consumed since. */
function findEnd({ submissionTime, consumedTime }: UnicoreJob): Date | undefined {
  const begin = parseDate(submissionTime);
  const total = readSeconds(consumedTime.total);
  return begin && total !== undefined ? addSeconds(begin, total) : undefined;
}

function tellReason({ statusMessage, exitCode }: UnicoreJob): { reason?: string } {
  const exit = exitCode === '' || exitCode === '0' ? '' : `exit code ${exitCode}`;
  const reason = [statusMessage, exit].filter((part) => part !== '').join(', ');
  return reason === '' ? {} : { reason: reason.slice(0, 500) };
}

/** Whole seconds as text, or "N/A". */
function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** `2024-10-17T12:00:00+0200`: an offset without its colon, which ISO 8601's profile wants. */
export function parseDate(text: string): Date | undefined {
  const date = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
