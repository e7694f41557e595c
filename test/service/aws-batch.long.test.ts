import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { roundUp } from '#lib/time/round-up.ts';
import type { Service } from '#local/start-service.ts';
import '#test/fixtures/captured-log.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { expectAccountAddsUp, readLedger } from '../fixtures/life.ts';
import { jobId as nameJob, userId } from '../fixtures/names.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { type BatchBody, type JobBody, Researcher } from '../slurm/researcher.ts';
import {
  type BatchServer,
  definitionName,
  queueName,
  startBatchServer,
} from '../upstreams/batch-server.ts';

const deadlineSeconds = 120;
const hpc = 'aws_batch';
const smallestPath = '/usr/bin:/bin';
const canRunContainers = existsSync('/usr/bin/python3');

/** The example of docs/deploy.md before an imitation of AWS Batch, which runs the real containers. */
describe.runIf(canRunContainers)('jobs on AWS Batch over HTTP (needs /usr/bin/python3)', () => {
  let directory: string;
  let server: BatchServer;
  let service: Service;
  let table: Table;
  let project: Project;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-'));
    server = await startBatchServer({
      runsCommands: { PATH: smallestPath, TMPDIR: directory },
    });
    vi.stubEnv('AWS_ENDPOINT_URL_BATCH', server.url);
    const place = { queue: queueName, definition: definitionName };
    vi.stubEnv('BATCH_SYSTEMS', JSON.stringify({ [hpc]: place }));
    vi.stubEnv('MONTHLY_BUDGET_USD', '0.40');
    project = await chooseExample();
    const { startService } = await import('#local/start-service.ts');
    service = await startService({
      port: 0,
      dataDirectory: 'memory',
      stateDirectory: directory,
      runsJobs: true,
    });
    table = (await import('#lib/table/table.ts')).openTable('slipway');
  });
  afterAll(async () => {
    await service?.close();
    table?.client.destroy();
    server?.close();
    vi.doUnmock('../fixtures/chosen-systems.ts');
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true, force: true });
  });

  /** The functions read the catalog when they are loaded. */
  async function chooseExample(): Promise<Project> {
    vi.resetModules();
    const { readCatalog } = await import('#lib/catalog/file/read-catalog.ts');
    const [example] = readCatalog('docs/examples/aws-batch.json').systems;
    if (example?.connector.kind !== 'batch') throw new Error('The example is not of AWS Batch.');
    const system = { ...example, connector: { ...example.connector, pollFloorSeconds: 1 } };
    vi.doMock('../fixtures/chosen-systems.ts', () => ({ chosenSystems: () => [system] }));
    const [first] = example.projects;
    if (!first) throw new Error('The example has no project.');
    return first;
  }

  /** Each test has a user of its own, so that accounts can be compared. */
  function openUser(number: string) {
    const token = service.issuer.issueToken({ user: userId(number) });
    const ada = new Researcher({ url: service.url, token, user: number });
    const owner = userId(number);
    const account = { user: owner, hpc: project.hpc, project: project.name };
    const find = (id: string) => findJob(table, account, nameJob(id));
    const finish = async (id: string): Promise<Job> =>
      pollUntil(`${id} has ended`, deadlineSeconds, async () => {
        const job = await find(id);
        return job.terminal ? job : undefined;
      });
    const runOf = async (id: string) => {
      const { handle } = await findLife(table, account, nameJob(id));
      return handle !== undefined && server.statusOf(handle) === 'RUNNING' ? handle : undefined;
    };

    /** Each job was settled once, for the seconds of its container and its cores. */
    async function expectExact(jobs: readonly { job: Job; cores: number }[]): Promise<void> {
      let charged = 0;
      for (const { job, cores } of jobs) {
        const { handle = '' } = await findLife(table, accountOf(job), job.jobId);
        charged += roundUp((await readSeconds(handle)) * cores);
        await expectAccountAddsUp(table, job);
      }
      const { time } = await findQuota(table, account);
      expect(time).toMatchObject({ held: 0, used: charged });
      const lines = await readLedger(table, { owner, project });
      expect(lines.filter(({ kind }) => kind === 'settle')).toHaveLength(jobs.length);
    }

    async function read(path: string, name: string): Promise<string> {
      const files = await ada.listFiles(path);
      const file = files.find(({ filename }) => filename === name);
      return String(await ada.fetchFile(path, file?.fileid ?? ''));
    }
    return { ada, find, finish, runOf, expectExact, read };
  }

  async function readSeconds(run: string): Promise<number> {
    const body = JSON.stringify({ jobs: [run] });
    const response = await fetch(`${server.url}/v1/describejobs`, { method: 'POST', body });
    const [job] = JSON.parse(await response.text()).jobs;
    return (job.stoppedAt - job.startedAt) / 1000;
  }

  it.concurrent('are refused if they could cost more than the budget of the laptop', async () => {
    const { ada } = openUser('605');
    const submitted = ada.submit('true', { hpc, cores: 16, runtime: 0.6 });
    await expect(submitted).rejects.toThrow('urn:slipway:problem:budget-spent');
    expect(await ada.readTimeLeft(hpc)).toBe(36_000);
  });

  it.concurrent('run as one array for a batch, each with its own values', async () => {
    const { ada, finish, read, expectExact } = openUser('604');
    const zip = buildZip([{ name: 'p.csv', content: 'alpha\n0.1\n0.2\n0.3\n' }]);
    const command = 'echo "{alpha} $SLIPWAY_INDEX" >out.txt';
    const { path, body } = await ada.submitBatch(command, { table: 'p.csv' }, { hpc, zip });
    const ended = await pollUntil('all have ended', deadlineSeconds, async () => {
      const batch = await ada.read<BatchBody & { readonly end_date: string | null }>(path);
      return batch.end_date === null ? undefined : batch;
    });
    expect(ended.counts).toEqual({ waiting: 0, running: 0, done: 3, failed: 0, cancelled: 0 });
    expect(ended.held.time).toBe(0);
    const listed = await ada.read<JobBody[]>(`/jobs/?batch=${body.batch_id}`);
    const written = listed.map(({ job_id: id }) =>
      read(`/jobs/${hpc}/${project.name}/${id}/`, 'out.txt'),
    );
    expect(await Promise.all(written)).toEqual(['0.1 0\n', '0.2 1\n', '0.3 2\n']);
    const jobs = await Promise.all(listed.map(({ job_id: id }) => finish(id)));
    const handles = await Promise.all(
      jobs.map(async (job) => (await findLife(table, accountOf(job), job.jobId)).handle ?? ''),
    );
    const [parent = ''] = handles.map((handle) => handle.split(':')[0] ?? '');
    expect(handles).toEqual(server.listUnits(parent));
    expect(handles).toHaveLength(3);
    await expectExact(jobs.map((job) => ({ job, cores: 1 })));
  });
});
