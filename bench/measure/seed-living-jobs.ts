import { accountOf, type Job, jobToItem } from '#lib/jobs/job.ts';
import { requestToItem } from '#lib/jobs/job-request.ts';
import { newLifeToItem } from '#lib/jobs/life/job-life.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { checkShard } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { hpcOne, jobFixture } from '#test/fixtures/jobs.ts';
import { userId } from '#test/fixtures/names.ts';
import { createProgressLine, request, writeItems } from './seed-ended-jobs.ts';

const jobsPerUser = 500;
const firstUser = 700_000;
const jobsAtOnce = 500;

/** Long enough that no job ends during a measurement. */
const hours = 24;

/** Seeds running jobs that are due for checks, spread over as many users as needed. */
export async function seedLivingJobs(table: Table, count: number): Promise<void> {
  const progress = createProgressLine(`${count.toLocaleString('en-US')} active jobs`);
  const first = await takeNumbers(table, 'job', count);
  for (let done = 0; done < count; done += jobsAtOnce) {
    const size = Math.min(jobsAtOnce, count - done);
    const jobs = Array.from({ length: size }, (_, index) => livingJob(first + done + index));
    await writeItems(table, jobs.flatMap(livingJobItems));
    progress.update((done + size) / count);
  }
}

function livingJob(id: number): Job {
  return {
    ...jobFixture(userId(String(firstUser + Math.floor(id / jobsPerUser))), id),
    project: hpcOne,
    runtime: hours,
    stage: 'RUNNING',
    terminal: false,
    submittedAt: new Date(),
    endedAt: null,
  };
}

/** Makes the items that a check of the running job leaves. */
function livingJobItems(job: Job): object[] {
  const now = new Date().toISOString();
  return [
    jobToItem(job),
    {
      ...newLifeToItem(job),
      due: checkShard(accountOf(job), job.id),
      handle: job.jobId,
      attempts: 1,
      running_since: now,
    },
    requestToItem(job, { ...request, input: { fileName: 'job_file.zip', bytes: 0 } }),
  ];
}
