import type { Timeline } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { type Live, useLive } from '../../live/use-live.ts';
import { type Load, sumUpSystem } from './sum-up-system.ts';

export interface LoadOfSystem extends Load {
  /** Of the job that has waited longest: why, and what the system said when it was handed over. */
  readonly timeline: Timeline | undefined;
  /** Whether more live than were counted. */
  readonly more: boolean;
}

/** So many living jobs are counted at most. */
export const mostCounted = 1000;

export function useLoad({ service }: Session, hpc: string): Live<LoadOfSystem> {
  return useLive(
    `load of ${hpc}`,
    async (signal) => {
      const living = await service.listAllJobs(
        { hpc, terminal: false, limit: mostCounted },
        { signal },
      );
      const load = sumUpSystem(living);
      const { longest } = load;
      const timeline =
        longest &&
        (await service.getAnyTimeline(
          { hpc, project_name: longest.project_name, job_id: longest.job_id },
          { signal },
        ));
      return { ...load, timeline, more: living.length >= mostCounted };
    },
    { living: () => true },
  );
}
