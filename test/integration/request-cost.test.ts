import { beforeAll, expect, it } from 'vitest';
import { catalog, defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { fillJobPage } from '#lib/http/presenters/fill-job-page.ts';
import { jobToItem } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import { userId } from '#test/fixtures/names.ts';
import { measuredUnits } from '#tools/costs/figures.ts';
import { type Cost, meter } from '../engines/meter.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { jobFixture, seedJobs } from '../fixtures/jobs.ts';
import { measureLife } from '../fixtures/measure-life.ts';
import { createMemoryFiles } from '../fixtures/memory-files.ts';

const unit = 4096;

/** The bytes that DynamoDB counts for an item of text, numbers, booleans and null. */
function weigh(item: Readonly<Record<string, unknown>>): number {
  return Object.entries(item).reduce((sum, [name, value]) => {
    if (typeof value === 'string') return sum + name.length + Buffer.byteLength(value);
    if (typeof value === 'number')
      return sum + name.length + Math.ceil(String(value).length / 2) + 1;
    return sum + name.length + 1;
  }, 0);
}

onEveryEngine('what a request costs on $name', (engine) => {
  const many = 5000;
  const table = tableForAll(engine);
  let cost: (action: () => Promise<unknown>) => Promise<Cost>;
  beforeAll(async () => {
    await seedJobs(table, userId('100'), 1, 100);
    await seedJobs(table, userId('500'), 1, many);
    ({ cost } = meter(table));
  });

  const { inputs } = createMemoryFiles();
  const pageOf100 = (owner: UserId) => () =>
    fillJobPage(
      (after, wanted) => readJobs(table, { owner, order: 'asc', filter: {} }, after, wanted),
      100,
    );
  const submit = (owner: UserId, nodes = 2, key?: string) =>
    submitJob({ table, catalog, inputs }, submissionFixture(owner, nodes), key);

  it('takes the same for a job with memory, GPUs and a class', async () => {
    const resources = {
      memoryMegabytes: 16_000,
      gpusPerNode: 2,
      gpuKind: 'a100',
      className: 'gpu',
    };
    const send = (more: Partial<Submission>) => () =>
      submitJob({ table, catalog, inputs }, { ...submissionFixture(userId('700'), 2), ...more });
    await send({})();
    const plain = await cost(send({}));
    expect(plain.writeUnits).toBeGreaterThan(0);
    expect(await cost(send(resources))).toEqual(plain);
  });

  it('takes 1 read unit for a single job', async () => {
    const { project, jobId } = jobFixture(userId('100'), 1);
    const place = { user: userId('100'), hpc: project.hpc, project: project.name };
    expect(await cost(() => findJob(table, place, jobId))).toEqual({
      readUnits: 1,
      writeUnits: 0,
    });
  });

  it('takes no more for a page of 100 jobs than those 100 items weigh', async () => {
    const bytes = Array.from({ length: 100 }, (_, n) =>
      weigh(jobToItem(jobFixture(userId('100'), n + 1))),
    );
    const weight = bytes.reduce((sum, each) => sum + each, 0);
    const { readUnits } = await cost(pageOf100(userId('100')));
    expect(readUnits).toBeLessThanOrEqual(Math.ceil(weight / unit));
    expect(readUnits).toBe(measuredUnits.pageOf100Jobs.readUnits);
  });

  it(`takes the same for a page of 100 whether the caller has 100 or ${many} jobs`, async () => {
    const small = await cost(pageOf100(userId('100')));
    expect(small.readUnits).toBeGreaterThan(1);
    expect(await cost(pageOf100(userId('500')))).toEqual(small);
  });

  // DynamoDB Local counts equal writes of one transaction once; one by one it agrees with this
  // (embedded-capacity.test.ts), so whole transactions are measured on the embedded table alone.
  it.runIf(engine.name === 'embedded')('takes what the costs are worked out from', async () => {
    const measured = {
      firstContact: await cost(() => readOwnQuotas(table, catalog, userId('306328'))),
      ownQuotas: await cost(() => readOwnQuotas(table, catalog, userId('306328'))),
      submission: await cost(() => submit(userId('306328'))),
      submissionWithKey: await cost(() => submit(userId('306328'), 2, 'a-key-of-a-client')),
      singleJob: { readUnits: 1, writeUnits: 0 },
      pageOf100Jobs: await cost(pageOf100(userId('100'))),
      ...(await measureLife(table, userId('306328'), cost)),
    };
    expect(measured).toEqual(measuredUnits);
  });
});

function submissionFixture(owner: UserId, nodes: number): Submission {
  const system = findSystem(catalog, 'hpc_one');
  return {
    owner,
    system,
    project: defaultProject(system),
    program: 'ls -lisa',
    nodes,
    coresPerNode: 6,
    requestedRuntime: 2,
    title: 'a job title',
    extras: {},
    input: {
      fileName: 'job_file.zip',
      source: { kind: 'inline', content: new Uint8Array(100_000), sha256: '0'.repeat(64) },
    },
  };
}
