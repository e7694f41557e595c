import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { findBatchJob, listLivingNames, readAddresses } from './batch-jobs.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { meetResearcher, type Researcher } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

const granted = 18_000_000;
const held = 360;

/** How long an address of the storage is good for here. */
const signedSeconds = 3;

let cluster: Cluster;
let slipway: ServiceOnSlurm;

beforeAll(async () => {
  cluster = await startCluster();
  slipway = await startServiceOn(cluster, { signedSeconds });
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

async function expectLedgerAddsUp({ user }: Researcher, path: string): Promise<string[]> {
  const [, , hpc = '', project = '', id = ''] = path.split('/');
  const { expectAccountAddsUp, readLedger } = await import('../fixtures/life.ts');
  const { findJob } = await import('#lib/jobs/job-store.ts');
  const job = await findJob(
    slipway.table,
    { user: userId(user), hpc: systemName(hpc), project: projectName(project) },
    jobId(id),
  );
  await expectAccountAddsUp(slipway.table, job);
  return (await readLedger(slipway.table, job)).map(({ kind, seconds }) => `${kind} ${seconds}`);
}

/** Where the service sends on to. */
async function follow(address: string | URL, method: string): Promise<string> {
  const response = await fetch(address, { method, redirect: 'manual' });
  expect(response.status).toBe(307);
  return response.headers.get('location') ?? '';
}

/** The end of a job on the nodes is short: it may be over before anybody looks. */
function withoutStagingOut(stages: readonly { readonly stage: string }[]): string[] {
  return stages.map(({ stage }) => stage).filter((stage) => stage !== 'STAGINGOUT');
}

describe('a real Slurm behind the whole service', () => {
  it('runs a job to its end, and gives back the time that it did not use', async () => {
    const ada = meetResearcher(slipway.service);
    const { path, body } = await ada.submit('sleep 3', { cores: 2 });
    expect(body).toMatchObject({ stage: 'QUEUED', terminal_stage: false, project_hpc: 'HPC_ONE' });
    expect(await ada.readTimeLeft()).toBe(granted - held);

    expect(await ada.waitForEnd(path)).toEqual({
      ...body,
      stage: 'SUCCESSFUL',
      terminal_stage: true,
      failed: false,
      end_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    const { stages, tries, reason } = await ada.readTimeline(path);
    expect(withoutStagingOut(stages)).toEqual(['QUEUED', 'RUNNING', 'SUCCESSFUL']);
    expect(tries).toMatchObject([{ accepted: true, reason: null }]);
    expect(reason).toBeNull();

    const { ranSeconds, state } = await findBatchJob(cluster, body.job_id);
    expect(state).toBe('COMPLETED');
    expect(ranSeconds).toBeGreaterThanOrEqual(3);
    expect(await ada.readTimeLeft()).toBe(granted - ranSeconds);
    expect(await expectLedgerAddsUp(ada, path)).toEqual([
      `grant ${granted}`,
      `hold ${-held}`,
      `settle ${held - ranSeconds}`,
    ]);
  });

  it('shows what a job writes while it runs, and keeps it when the job is cancelled', async () => {
    const ada = meetResearcher(slipway.service);
    const command = `trap 'echo the end; exit 1' TERM; for i in {1..300}; do echo "line $i"; sleep 1; done`;
    const { path } = await ada.submit(command);
    await ada.waitForStage(path, 'RUNNING');
    const read = async () => {
      const [file] = (await ada.listFiles(path)).filter(({ filename }) => filename === 'stdout');
      return file && (await ada.fetchFile(path, file.fileid)).toString();
    };
    const first = await pollUntil('its output shows', 60, read);
    expect(first).toMatch(/^line 1\n/);
    const more = await pollUntil('more of it shows', 30, async () => {
      const text = (await read()) ?? '';
      return text.length > first.length ? text : undefined;
    });
    await ada.cancel(path);
    // The job may have sent more since.
    expect((await read())?.startsWith(more)).toBe(true);
    // The command writes this only once it is told to end, so it was not sent before.
    const all = await pollUntil('all that it wrote is there', 30, async () => {
      const text = (await read()) ?? '';
      return text.endsWith('the end\n') ? text : undefined;
    });
    expect(all.startsWith(more)).toBe(true);
  }, 120_000);

  it('gives a job its files even if it waits longer than any address of the storage is good for', async () => {
    const ada = meetResearcher(slipway.service);
    const first = await ada.submit('sleep 12', { cores: 16 });
    await ada.waitForStage(first.path, 'RUNNING');
    const zip = buildZip([{ name: 'in.txt', content: 'forty-two' }]);
    const command = `cat in.txt >out.txt; sleep ${signedSeconds + 1}`;
    const waiting = await ada.submit(command, { cores: 16, zip });
    const { id } = await pollUntil('Slurm has the second job', 20, () =>
      findBatchJob(cluster, waiting.body.job_id).catch(() => undefined),
    );
    const [input = '', , results = ''] = await readAddresses(cluster, id);
    const signedInput = await follow(input, 'GET');
    const signedResults = await follow(`${results}&bytes=5`, 'PUT');
    expect((await fetch(signedInput)).status).toBe(200);

    // What the storage signed when the job was handed over has ended before the job begins.
    await pollUntil('the signed addresses have ended', 10, async () => {
      return (await fetch(signedInput)).status === 403 || undefined;
    });
    const sent = await fetch(signedResults, {
      method: 'PUT',
      headers: { 'if-none-match': '*' },
      body: 'early',
    });
    expect(sent.status).toBe(403);
    expect(await findBatchJob(cluster, waiting.body.job_id)).toMatchObject({ state: 'PENDING' });

    expect(await ada.waitForEnd(waiting.path, 60)).toMatchObject({ stage: 'SUCCESSFUL' });
    const files = await ada.listFiles(waiting.path);
    const out = files.find(({ filename }) => filename === 'out.txt');
    expect((await ada.fetchFile(waiting.path, out?.fileid ?? '')).toString()).toBe('forty-two');
  });

  it('tells why Slurm takes no jobs for a drained partition, and no longer once it runs', async () => {
    const ada = meetResearcher(slipway.service);
    const change = (state: string) =>
      cluster.ask('scontrol', 'update', `PartitionName=${cluster.partition}`, `State=${state}`);
    await change('DRAIN');
    const { path, body } = await ada.submit('sleep 4');
    const reason = await pollUntil('the timeline says why it waits', 20, async () => {
      return (await ada.readTimeline(path)).reason ?? undefined;
    });
    expect(reason).toBe(
      'Slurm says: Required partition not available (inactive or drain) (2070). It will be tried again.',
    );
    await change('UP');
    await pollUntil('Slurm has the job', 90, async () => {
      return (await listLivingNames(cluster)).includes(body.job_id) || undefined;
    });
    await ada.waitForStage(path, 'RUNNING');
    const running = await ada.readTimeline(path);
    expect(running.reason).toBeNull();
    expect(running.tries[0]).toMatchObject({ accepted: false, reason });
    expect(await ada.waitForEnd(path)).toMatchObject({ stage: 'SUCCESSFUL' });
  }, 120_000);
});
