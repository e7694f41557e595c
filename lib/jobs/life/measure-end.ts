import type { EndFacts, JobOutcome } from '#lib/quotas/ledger.ts';
import type { Job } from '../job.ts';

/** What is known of an end. */
interface Ending {
  readonly failed: boolean;
  readonly cancelled?: boolean;
  readonly endedAt: Date;
  /** Wall-clock seconds that are charged. */
  readonly ranSeconds: number;
  readonly excusedSeconds?: number;
  readonly byClock?: boolean;
  /** When it was first seen running, where it was. */
  readonly runningSince?: Date | undefined;
}

/**
 * How a job ended, how long it waited and how long it ran. A short one may begin and end between
 * two looks: then it ran before its end for as long as its system says.
 */
export function measureEnd({ submittedAt }: Pick<Job, 'submittedAt'>, ending: Ending): EndFacts {
  const { runningSince, endedAt } = ending;
  const outcome = judgeOutcome(ending);
  const ran = Math.max(0, Math.round(ending.ranSeconds));
  if (!runningSince && ran === 0) return { outcome };
  const began = runningSince?.getTime() ?? endedAt.getTime() - ran * 1000;
  const waited = Math.max(0, Math.round((began - submittedAt.getTime()) / 1000));
  const excused = Math.round(ending.excusedSeconds ?? 0);
  return {
    outcome,
    waited,
    ran,
    ...(excused > 0 && { excused }),
    ...(ending.byClock && { byClock: true }),
  };
}

function judgeOutcome({ failed, cancelled = false }: Ending): JobOutcome {
  if (cancelled) return 'cancelled';
  return failed ? 'failed' : 'succeeded';
}
