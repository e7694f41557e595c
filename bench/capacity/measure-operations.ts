import type { UserId } from '#lib/catalog/identifiers.ts';
import { fillJobPage } from '#lib/http/paging/fill-job-page.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import type { Table } from '#lib/table/table.ts';
import { type Cost, meter } from '#test/engines/meter.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { measureLife } from '#test/fixtures/measure-life.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { submissionSample } from '#test/fixtures/submission-sample.ts';
import type { measuredUnits } from '#tools/costs/measured-units.ts';
import { endedJob } from '../seed/ended-job-items.ts';

/** The same names as in the costs. */
export type Operations = Readonly<Record<keyof typeof measuredUnits, Cost>>;

/** What each operation consumes for somebody who owns all jobs of the table. */
export async function measureOperations(
  table: Table,
  owner: UserId,
  jobs: number,
): Promise<Operations> {
  const { cost } = meter(table);
  const { inputs } = createMemoryFiles();
  const submit = (key?: string) =>
    submitJob({ table, catalog, inputs }, { ...submissionSample, owner }, key);
  const middle = endedJob(owner, Math.ceil(jobs / 2));
  const readPage = () =>
    fillJobPage(
      (after, wanted) => readJobs(table, { owner, order: 'asc', filter: {} }, after, wanted),
      100,
    );
  return {
    firstContact: await cost(() => readOwnQuotas(table, catalog, owner)),
    ownQuotas: await cost(() => readOwnQuotas(table, catalog, owner)),
    singleJob: await cost(() => findJob(table, accountOf(middle), middle.jobId)),
    pageOf100Jobs: await cost(readPage),
    ...(await measureLife(table, owner, cost)),
    submission: await cost(() => submit()),
    submissionWithKey: await cost(() => submit('a-key-of-a-client')),
  };
}
