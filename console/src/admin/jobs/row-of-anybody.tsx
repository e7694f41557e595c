import type { Job } from '#client/src/index.ts';
import { adminAddress } from '../../address/admin-address.ts';
import { JobRow } from '../../jobs/job-row.tsx';

export function RowOfAnybody({ job }: { readonly job: Job }) {
  return <JobRow job={job} address={adminAddress.job(job)} owner={job.owner} />;
}
