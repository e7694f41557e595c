import type { JobDetail } from '@aws-sdk/client-batch';
import type { Observation } from '../connector.ts';

/** The words of lib/catalog/kinds/batch.ts for the states of AWS Batch. */
const activeStages: ReadonlyMap<string, string> = new Map([
  ['SUBMITTED', 'QUEUED'],
  ['PENDING', 'QUEUED'],
  ['RUNNABLE', 'QUEUED'],
  ['STARTING', 'STARTING'],
  ['RUNNING', 'RUNNING'],
]);

/** Returns undefined for an unknown state. */
export function observeJob(detail: JobDetail): Observation | undefined {
  const { status = '', statusReason, startedAt, stoppedAt, container } = detail;
  const stage = activeStages.get(status);
  if (stage !== undefined) {
    return { state: 'living', stage, ...(statusReason && { reason: statusReason }) };
  }
  if (status !== 'SUCCEEDED' && status !== 'FAILED') return undefined;
  const failed = status === 'FAILED';
  const reason = [statusReason, container?.reason].filter(Boolean).join(' ');
  return {
    state: 'ended',
    stage: failed ? 'FAILED' : 'SUCCESSFUL',
    failed,
    ...(failed && reason && { reason }),
    ...(stoppedAt && {
      usedSeconds: startedAt ? Math.max(0, stoppedAt - startedAt) / 1000 : 0,
      endedAt: new Date(stoppedAt),
    }),
  };
}
