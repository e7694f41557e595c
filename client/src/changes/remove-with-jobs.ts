import { problems, type QuotaWithUsage, type Slipway } from '../index.ts';

export interface Removal {
  readonly user_id: string;
  readonly hpc: string;
  readonly project_name: string;
  readonly body: { readonly reason: string };
}

export interface JobsLeft {
  readonly living: number;
  readonly ended: number;
}

/**
 * Removes a quota with its jobs. One request has the time for some of them: it is sent again while fewer
 * are left each time, and given up with the last refusal where they do not get fewer.
 */
export async function removeWithJobs(
  client: Pick<Slipway, 'removeQuota'>,
  removal: Removal,
  onLeft: (left: JobsLeft) => void = () => undefined,
): Promise<QuotaWithUsage> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    try {
      return await client.removeQuota({ ...removal, with_jobs: true });
    } catch (error) {
      const left = jobsLeft(error);
      if (!left || left.living + left.ended >= before) throw error;
      before = left.living + left.ended;
      onLeft(left);
    }
  }
}

/** Undefined where something else than jobs was in the way. */
export function jobsLeft(error: unknown): JobsLeft | undefined {
  if (!(error instanceof problems['quota-in-use'])) return undefined;
  const { living_jobs: living = 0, ended_jobs: ended = 0 } = error.problem;
  return { living: Number(living), ended: Number(ended) };
}
