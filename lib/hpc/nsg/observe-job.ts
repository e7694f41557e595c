import type { Observation } from '../connector.ts';
import type { NsgStatus } from './read-answer.ts';

/**
 * NSG has more words than hpc_two of the catalog. One that is not in the catalog becomes the last
 * one before it that is: a job must not seem further than it is, and SUBMITTED counts as running.
 */
const livingStages: Readonly<Record<string, string>> = {
  NEW: 'QUEUE',
  READY: 'QUEUE',
  QUEUE: 'QUEUE',
  INPUTCHECK: 'QUEUE',
  COMMANDRENDERING: 'COMMANDRENDERING',
  INPUTSTAGING: 'INPUTSTAGING',
  SUBMITTING: 'INPUTSTAGING',
  SUBMITTED: 'SUBMITTED',
  LOAD_RESULTS: 'LOAD_RESULTS',
  // The word of the end, of a job that has not ended.
  COMPLETED: 'LOAD_RESULTS',
  // Words of old records.
  INITIALIZE: 'QUEUE',
  SUBMIT: 'INPUTSTAGING',
  PROCESSING: 'SUBMITTED',
  ERR_LOAD_RESULTS: 'LOAD_RESULTS',
};

const end = 'COMPLETED';

/** `terminalStage` decides: a job can end, or fail, at any stage. */
export function observeJob(job: NsgStatus): Observation | undefined {
  if (job.terminalStage === undefined) return undefined;
  if (job.terminalStage === 'true') return observeEnd(job);
  const stage = livingStages[job.jobStage];
  return stage === undefined ? undefined : { state: 'living', stage, ...tellReason(job) };
}

/** `failed` is about the platform: a program that fails has still been run. */
function observeEnd(job: NsgStatus): Observation {
  const failed = job.failed === 'true';
  const reached = job.jobStage === end ? end : (livingStages[job.jobStage] ?? end);
  const endedAt = findEnd(job);
  return {
    state: 'ended',
    stage: failed ? reached : end,
    failed,
    ...(failed && tellReason(job)),
    ...(endedAt && { endedAt }),
  };
}

function findEnd({ messages }: NsgStatus): Date | undefined {
  const times = messages.map(({ timestamp }) => Date.parse(timestamp));
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : new Date(Math.max(...known));
}

function tellReason({ messages }: NsgStatus): { reason?: string } {
  const text = messages.at(-1)?.text;
  return text ? { reason: text.slice(0, 500) } : {};
}
