import type { UserId } from '#lib/catalog/identifiers.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { jobToItem } from '#lib/jobs/job-item.ts';
import { requestToItem } from '#lib/jobs/job-request.ts';
import { newLifeToItem } from '#lib/jobs/life/job-life-item.ts';
import { ledgerLineToItem } from '#lib/quotas/ledger.ts';
import { jobFixture } from '#test/fixtures/jobs.ts';

const firstMoment = Date.parse('2019-02-10T22:40:01Z');

/** A job a second, so that jobs and ledger lines lie in the order in which they would have come. */
export function endedJob(owner: UserId, id: number): Job {
  const submittedAt = new Date(firstMoment + id * 1000);
  return { ...jobFixture(owner, id), submittedAt, endedAt: new Date(+submittedAt + 3_600_000) };
}

/** All that a job leaves in the table: itself, its request, its life and two lines of the ledger. */
export function endedJobItems(job: Job): object[] {
  const { hold, jobId, owner, submittedAt } = job;
  const line = { ...accountOf(job), jobId, kilobytes: 0 };
  return [
    jobToItem(job),
    newLifeToItem(job),
    requestToItem(job, { ...request, input: { fileName: 'job_file.zip', bytes: 1000 } }),
    ledgerLineToItem({
      ...line,
      kind: 'hold',
      seconds: -hold.seconds,
      kilobytes: -hold.kilobytes,
      at: submittedAt,
      by: owner,
      reason: 'job submitted',
    }),
    ledgerLineToItem({
      ...line,
      kind: 'settle',
      seconds: 0,
      used: hold.seconds,
      at: job.endedAt ?? submittedAt,
      by: 'slipway',
      reason: `${job.stage}: ${hold.seconds} of ${hold.seconds} seconds used`,
    }),
  ];
}

const request = { program: 'python3 main.py', nodes: 1, coresPerNode: 4, extras: {} };
