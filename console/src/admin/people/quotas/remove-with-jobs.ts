import { problems } from '#client/src/index.ts';
import type { Session } from '../../../connection/session.ts';

export interface Removal {
  readonly user_id: string;
  readonly hpc: string;
  readonly project_name: string;
  readonly body: { readonly reason: string };
}

/**
 * With its jobs. One request has the time for some of them: it is sent again while fewer are left
 * each time, and given up with the last refusal where they do not get fewer.
 */
export async function removeWithJobs(
  service: Pick<Session['service'], 'removeQuota'>,
  removal: Removal,
): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    try {
      await service.removeQuota({ ...removal, with_jobs: true });
      return;
    } catch (error) {
      if (!(error instanceof problems['quota-in-use'])) throw error;
      const { living_jobs: living = 0, ended_jobs: ended = 0 } = error.problem;
      const left = Number(living) + Number(ended);
      if (left >= before) throw error;
      before = left;
    }
  }
}
