import type { Timeline } from '#lib/jobs/read/read-timeline.ts';
import { timestamp } from '../values/timestamp.ts';

/** Why a job is where it is: each stage, each try to hand it over, the last word about it. */
export function presentTimeline({ job, life }: Timeline) {
  return {
    job_id: job.jobId,
    stage: job.stage,
    terminal_stage: job.terminal,
    reason: life.reason || null,
    running_since: life.runningSince ? timestamp(life.runningSince) : null,
    ran_seconds: life.ranSeconds ?? null,
    stages: life.stages.map(({ stage, at }) => ({ stage, since: timestamp(at) })),
    tries: life.handOvers.map(({ at, reason }) => ({
      at: timestamp(at),
      accepted: reason === undefined,
      reason: reason ?? null,
    })),
  };
}
