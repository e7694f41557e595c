import type { UserId } from '#lib/catalog/identifiers.ts';
import { fillJobPage } from '#lib/http/presenters/fill-job-page.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import type { Table } from '#lib/table/table.ts';
import { createTable } from '#local/create-table.ts';
import { credentials, setCredentials } from '#test/engines/credentials.ts';
import { javaIsPresent, startDynamoDbLocal } from '#test/engines/dynamodb-local.ts';
import { type Cost, meter } from '#test/engines/meter.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { measureLife } from '#test/fixtures/measure-life.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { submissionSample } from '#test/fixtures/submission-sample.ts';
import { measuredUnits } from '#tools/costs/figures.ts';
import { reportGrowth } from './measure/growth-of-units.ts';
import { openTableAt } from './measure/open-table-at.ts';
import type { Part } from './measure/part.ts';
import { endedJob, seedOwner as owner, seedEndedJobs } from './measure/seed-ended-jobs.ts';

const smallest = 100;

export const part: Part = {
  about: `Measures the read and write units of each operation in Amazon's DynamoDB Local (needs Java 17), with
100 jobs in the table and with many. The growth is the units with many jobs divided by those with few.
`,
  options: { jobs: { usual: 10_000, about: 'how many jobs the large table has' } },
  async measure({ count }) {
    const largest = count('jobs');
    if (!javaIsPresent()) {
      throw new Error('DynamoDB Local needs Java 17: apt-get install default-jre-headless');
    }
    const { endpoint, close } = await startDynamoDbLocal();
    const small = await measureWith(endpoint, smallest);
    const large = await measureWith(endpoint, largest);
    await close();
    return reportGrowth('capacity', [smallest, largest], operationNames(), [small, large]);
  },
};

async function measureWith(endpoint: string, jobs: number): Promise<Operations> {
  setCredentials();
  const name = `slipway-${jobs}`;
  await createTable(name, endpoint);
  const table = openTableAt(endpoint, name, credentials);
  await seedEndedJobs(table, owner, jobs);
  const operations = await measureOperations(table, owner, jobs);
  table.client.destroy();
  return operations;
}

function operationNames(): (keyof Operations)[] {
  const isName = (name: string): name is keyof Operations => name in measuredUnits;
  return Object.keys(measuredUnits).filter(isName);
}

/** Operations have the names that the costs use. */
type Operations = Readonly<Record<keyof typeof measuredUnits, Cost>>;

/** Measures the units of each operation for a user who owns all jobs of the table. */
async function measureOperations(table: Table, owner: UserId, jobs: number): Promise<Operations> {
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
