import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { settleByClock } from '../../cancel/cancel-job.ts';
import type { JobLife } from '../../life/job-life.ts';
import { finishCancel, finishRemoval, saveLife } from '../../life/job-life-store.ts';
import { leaseSeconds } from '../sweep/claim-jobs.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';

/**
 * True for a job that was handed over while its system was of another kind. The system must not be
 * asked for it: it does not know the job, or it has another one with the same handle.
 */
export function isStray({ connector }: HpcSystem, { handle, kind = connector.kind }: JobLife) {
  return handle !== undefined && kind !== connector.kind;
}

/**
 * Tells the owner of a stray job why nobody follows it, and lets it wait, because the catalog may
 * have changed by mistake. A cancel ends it without its system.
 */
export async function attendStray(sweep: Sweep, { job, life }: ActiveJob): Promise<void> {
  const { table, system, connector, now } = sweep;
  const at = now();
  if (job.awaitsSettlement) await settleByClock(table, { job, life }, at, { why, isTold: true });
  else if (life.cancelPending) await finishCancel(table, job);
  else if (!job.terminal) {
    await saveLife(table, job, {
      dueAt: addSeconds(at, leaseSeconds(connector)),
      unknownSince: life.unknownSince ?? at,
      reason:
        `It was handed over when ${system.name} was of the kind ${life.kind}. It is of the kind ` +
        `${system.connector.kind} now and knows nothing of the job. The job goes on once the ` +
        'catalog has its former kind again. Otherwise cancel it.',
    });
  }
  if (life.removePending) await finishRemoval(table, job);
}

const why = 'Its system is of another kind now, so it is charged until that was noticed.';
