import { problems, type QuotaWithUsage, type Slipway } from '../index.ts';

export type Removal = Omit<Parameters<Slipway['removeQuota']>[0], 'with_jobs'>;

export interface JobsLeft {
  readonly active: number;
  readonly ended: number;
}

/**
 * Removes a quota with its jobs. One request has time for some of them, so it is sent again while
 * fewer remain each time. Throws the last refusal once they do not get fewer.
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
      if (!left || left.active + left.ended >= before) throw error;
      before = left.active + left.ended;
      onLeft(left);
    }
  }
}

/** Undefined if something other than jobs was in the way. */
export function jobsLeft(error: unknown): JobsLeft | undefined {
  if (!(error instanceof problems['quota-in-use'])) return undefined;
  const { living_jobs: active = 0, ended_jobs: ended = 0 } = error.problem;
  return { active: Number(active), ended: Number(ended) };
}
