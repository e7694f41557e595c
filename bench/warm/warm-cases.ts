import { hpcOne, jobFixture } from '#test/fixtures/jobs.ts';
import { userId } from '#test/fixtures/names.ts';

/** Who calls the chain, and whose calls the bare handler repeats: both have the same jobs. */
export const callers = { chain: userId('306328'), bare: userId('306329') };

export interface WarmCase {
  readonly name: string;
  /** The function, and so its example event. */
  readonly bundle: string;
  /** What its example event does not ask for yet. */
  readonly change: { readonly rawPath?: string; readonly rawQueryString?: string };
}

const { jobId } = jobFixture(callers.chain, 1);

export const warmCases: readonly WarmCase[] = [
  {
    name: 'single-job',
    bundle: 'read-jobs',
    change: { rawPath: `/jobs/${hpcOne.hpc}/${hpcOne.name}/${jobId}/` },
  },
  {
    name: 'page-of-100',
    bundle: 'read-jobs',
    change: { rawQueryString: 'limit=100' },
  },
  { name: 'own-quotas', bundle: 'read-quotas', change: {} },
  { name: 'submission', bundle: 'submit-job', change: {} },
];
