import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { systemBreakerKey } from '#lib/table/keys.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { findBatchJob, listBatchJobs, listLivingNames, readAddresses } from './batch-jobs.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { Researcher } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

const granted = 18_000_000;
const held = 360;

/** What the timeline says of a call that failed; where it went to is in the log alone. */
const noAnswer = 'The HPC system did not answer. It will be tried again.';

/** What the timeline says of a job that waits for a system which is known to be down. */
const notAnswering = 'hpc_one is not answering. The job will be handed over as soon as it does.';

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

/** Everybody in here has a quota of their own. */
let users = 1000;
function meetResearcher(): Researcher {
  users += 1;
  const { url, issuer } = slipway.service;
  const user = String(users);
  return new Researcher({ url, token: issuer.issueToken({ user }), user });
}

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

/** What the breaker of a system has come to: after five calls without an answer it is open. */
async function isLeftAlone(hpc: SystemName): Promise<true | undefined> {
  const { name: TableName, client } = slipway.table;
  const { Item } = await client.send(new GetCommand({ TableName, Key: systemBreakerKey(hpc) }));
  return Item?.open_until === undefined ? undefined : true;
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
    const ada = meetResearcher();
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

  it('says why a job failed', async () => {
    const ada = meetResearcher();
    const { path } = await ada.submit('exit 3');
    expect(await ada.waitForEnd(path)).toMatchObject({ stage: 'FAILED', failed: true });
    const { reason } = await ada.readTimeline(path);
    expect(reason).toBe('The command ended with exit code 3.');
    await expectLedgerAddsUp(ada, path);
  });

  it('cancels a job that runs: here at once, and there within seconds', async () => {
    const ada = meetResearcher();
    const { path, body } = await ada.submit('sleep 300');
    await ada.waitForStage(path, 'RUNNING');
    expect(await listLivingNames(cluster)).toContain(body.job_id);

    const canceled = await ada.cancel(path);
    expect(canceled).toMatchObject({ stage: 'CANCELED', terminal_stage: true, failed: false });
    await pollUntil('Slurm has ended the job', 10, async () => {
      return (await listLivingNames(cluster)).includes(body.job_id) ? undefined : true;
    });
    expect(await findBatchJob(cluster, body.job_id)).toMatchObject({ state: 'CANCELLED' });
    expect(await ada.cancel(path)).toEqual(canceled);
    expect((await ada.readTimeline(path)).stages.map(({ stage }) => stage)).toEqual([
      'QUEUED',
      'RUNNING',
      'CANCELED',
    ]);
    // The next check asks Slurm how long the job ran, and refunds the rest.
    await pollUntil('the time that it did not use is back', 20, async () => {
      return ((await ada.readTimeLeft()) ?? 0) > granted - held || undefined;
    });
    await expectLedgerAddsUp(ada, path);
  });

  it('gives a job its zip, and hands out what the job wrote', async () => {
    const ada = meetResearcher();
    const bytes = Buffer.from(Uint8Array.from({ length: 70_000 }, (_, at) => (at * at) % 251));
    const zip = buildZip([
      { name: 'numbers.txt', content: '30\n4\n200\n' },
      { name: 'in/deep/a name with ümläuts.txt', content: 'forty-two' },
      { name: 'in/data.bin', content: bytes, stored: true },
    ]);
    const command = [
      'mkdir out && sort -n numbers.txt > sorted.txt',
      'tr a-z A-Z < "in/deep/a name with ümläuts.txt" > out/loud.txt',
      'cat in/data.bin in/data.bin > out/twice.bin',
      'echo said; echo wrong >&2',
    ];
    const { path, body } = await ada.submit(command.join('\n'), { zip });
    expect(await ada.waitForEnd(path)).toMatchObject({ stage: 'SUCCESSFUL' });

    const files = await ada.listFiles(path);
    const expected = new Map([
      // Not its input, which is as it was.
      ['out/loud.txt', Buffer.from('FORTY-TWO')],
      ['out/twice.bin', Buffer.concat([bytes, bytes])],
      ['sorted.txt', Buffer.from('4\n30\n200\n')],
      ['stderr', Buffer.from('wrong\n')],
      ['stdout', Buffer.from('said\n')],
    ]);
    expect(new Map(files.map(({ filename, length }) => [filename, length]))).toEqual(
      new Map([...expected].map(([name, content]) => [name, content.length])),
    );
    for (const { fileid, filename } of files) {
      expect((await ada.fetchFile(path, fileid)).equals(expected.get(filename)!)).toBe(true);
    }

    // What the script was given are addresses of the service, which end with the job.
    const { id } = await findBatchJob(cluster, body.job_id);
    const addresses = await readAddresses(cluster, id);
    expect(addresses.map(({ origin }) => origin)).toEqual(Array(3).fill(slipway.service.url));
    const [input = '', output = '', results = ''] = addresses;
    expect((await fetch(input)).status).toBe(404);
    const late = { method: 'PUT', body: 'late' };
    expect((await fetch(`${output}&stdout=0,4&stderr=0,0&last=true`, late)).status).toBe(404);
    expect((await fetch(`${results}&bytes=5`, { method: 'PUT' })).status).toBe(404);
  });

  it('shows what a job writes while it runs, and keeps it when the job is cancelled', async () => {
    const ada = meetResearcher();
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
    const ada = meetResearcher();
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

  it('does not double a job whose hand-over was answered, and the answer lost', async () => {
    const ada = meetResearcher();
    slipway.line.failNext(/^POST .*\/job\/submit$/, 'lost answer');
    const { path, body } = await ada.submit('echo once', { hpc: 'hpc_three' });
    expect(await ada.waitForEnd(path)).toMatchObject({ stage: 'SUCCESSFUL' });

    const { tries } = await ada.readTimeline(path);
    expect(tries).toMatchObject([
      { accepted: false, reason: noAnswer },
      { accepted: true, reason: null },
    ]);
    const sent = slipway.line.listCalls().filter((call) => call.startsWith('POST'));
    expect(sent).toHaveLength(1);
    expect(await findBatchJob(cluster, body.job_id)).toMatchObject({ state: 'COMPLETED' });
  });

  it('tells why Slurm takes no jobs for a drained partition, and no longer once it runs', async () => {
    const ada = meetResearcher();
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

  it('loses and doubles nothing while slurmrestd is away', async () => {
    const ada = meetResearcher();
    const goOn = join(cluster.workDirectory, randomUUID());
    const running = await ada.submit(`until test -e ${goOn}; do sleep 0.2; done`, { cores: 16 });
    await ada.waitForStage(running.path, 'RUNNING');
    const waiting = await ada.submit('true', { cores: 16 });
    await pollUntil('Slurm says why it waits', 60, async () => {
      const { reason } = await ada.readTimeline(waiting.path);
      return reason?.endsWith('Slurm says: Resources.') || undefined;
    });

    await cluster.killRest();
    writeFileSync(goOn, '');
    const meanwhile = await ada.submit('true');
    const whyNot = await pollUntil('the timeline says why it waits', 60, async () => {
      return (await ada.readTimeline(meanwhile.path)).reason ?? undefined;
    });
    // Whether the failed try or the failed health check is seen first is a matter of moments.
    expect([noAnswer, notAnswering]).toContain(whyNot);
    await pollUntil('nobody calls hpc_one any more', 60, () => isLeftAlone(systemName('hpc_one')));
    expect(await ada.read('/status/')).toMatchObject({
      systems: expect.arrayContaining([
        expect.objectContaining({ name: 'hpc_one', status: 'down' }),
      ]),
    });
    const last = await ada.submit('true');
    await cluster.startRest();

    // It is left alone for 30 s, back or not.
    const jobs = [running, waiting, meanwhile, last];
    for (const { path } of jobs) {
      expect(await ada.waitForEnd(path, 60)).toMatchObject({ stage: 'SUCCESSFUL' });
    }
    const { tries } = await ada.readTimeline(meanwhile.path);
    if (whyNot === noAnswer) expect(tries[0]).toMatchObject({ accepted: false });
    expect([noAnswer, null]).toContain(tries[0]?.reason);
    expect(tries.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(tries.at(-1)).toMatchObject({ accepted: true, reason: null });
    const own = new Set(jobs.map(({ body }) => body.job_id));
    const seen = (await listBatchJobs(cluster)).filter(({ name }) => own.has(name));
    expect(seen.map(({ name }) => name).sort()).toEqual([...own].sort());
    expect(seen.map(({ state }) => state)).toEqual(jobs.map(() => 'COMPLETED'));
    await expectLedgerAddsUp(ada, last.path);
  }, 300_000);
});
