import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectName, systemName } from '#lib/catalog/identifiers.ts';
import { writeBootstrap } from '#lib/hpc/aws-batch/bootstrap.ts';
import { createPasses } from '#lib/jobs/passes/passes.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { jobId as nameJob, userId } from '../fixtures/names.ts';
import { zipOf } from '../fixtures/zip.ts';
import { listAddresses } from '../slurm/batch-jobs.ts';
import { type FakeSlurmrestd, openFake } from '../slurm/fake-slurmrestd.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { Researcher } from '../slurm/researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from '../slurm/service.ts';

const isPresent = (program: string) => spawnSync(program, ['--version']).status === 0;
const canRunScripts = isPresent('curl') && isPresent('python3');

const maxResultsBytes = 100_000;
const deadlineSeconds = 120;

let directory: string;
let fake: FakeSlurmrestd;
let closeFake: () => Promise<void>;
let slipway: ServiceOnSlurm;
let ada: Researcher;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-handover-'));
  ({ fake, close: closeFake } = await openFake(38));
  slipway = await startServiceOn(
    {
      url: fake.url,
      user: 'hpcuser1',
      token: 'good',
      partition: 'batch',
      workDirectory: directory,
    },
    { maxResultsBytes },
  );
  const { url, issuer } = slipway.service;
  ada = new Researcher({ url, token: issuer.issueToken({ user: '306328' }), user: '306328' });
});
afterAll(async () => {
  await slipway?.close();
  await closeFake?.();
  rmSync(directory, { recursive: true });
});

interface HandedOver {
  readonly path: string;
  readonly jobId: string;
  readonly script: string;
  readonly input: URL;
  readonly output: URL;
  readonly results: URL;
}

/** A job that Slurm was given, with what stands in its script. */
async function handOver(command: string, zip: Uint8Array = zipOf(1000)): Promise<HandedOver> {
  const { path, body } = await ada.submit(command, { zip: Buffer.from(zip) });
  const jobId = body.job_id;
  const script = await pollUntil(
    'Slurm has the job',
    deadlineSeconds,
    async () =>
      fake.submitted().flatMap((sent) => {
        const { job, script } = sent as { job: { name: string }; script: string };
        return job.name === jobId ? [script] : [];
      })[0],
  );
  const addresses = listAddresses(script);
  const find = (name: string) => addresses.find(({ pathname }) => pathname.endsWith(`/${name}/`));
  const [input, output, results] = [find('input'), find('output'), find('results')];
  if (!input || !output || !results) throw new Error('The script has no three addresses.');
  return { path, jobId, script, input, output, results };
}

function announce(results: URL, bytes: number): Promise<Response> {
  return fetch(`${results}&bytes=${bytes}`, { method: 'PUT', redirect: 'manual' });
}

/** What a running job does: it asks, or sends what it has written. */
async function tell(output: URL, query: string, body: string) {
  const address = query === '' ? output : `${output}&${query}`;
  const response = await fetch(address, { method: 'PUT', ...(body !== '' && { body }) });
  return { status: response.status, ...JSON.parse(await response.text()) };
}

async function askWhere(results: URL, bytes: number): Promise<string> {
  const response = await announce(results, bytes);
  expect(response.status).toBe(307);
  return response.headers.get('location') ?? '';
}

const once = { 'if-none-match': '*' };

function send(
  address: string,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = once,
) {
  return fetch(address, { method: 'PUT', headers, body: bytes });
}

describe('a job that moves its files itself', () => {
  it('is given addresses of the service, and nothing that was signed for the storage', async () => {
    const { input, output, results, script, jobId } = await handOver('true');
    expect(output.href).toContain(`${slipway.service.url}/handover/${jobId}/output/?pass=`);
    expect(input.href).toContain(`${slipway.service.url}/handover/${jobId}/input/?pass=`);
    expect(results.href).toContain(`${slipway.service.url}/handover/${jobId}/results/?pass=`);
    expect(script).not.toContain('X-Amz');
  });

  it('gets its input byte by byte, as often as it asks', async () => {
    const zip = Uint8Array.from(zipOf(300_000));
    const { input } = await handOver('true', zip);
    for (let time = 0; time < 2; time += 1) {
      const response = await fetch(input);
      expect(response.redirected).toBe(true);
      expect(Buffer.from(await response.bytes()).equals(zip)).toBe(true);
    }
  });

  it('sends its results once, and exactly as many bytes as it said', async () => {
    const zip = Uint8Array.from(buildZip([{ name: 'out.txt', content: 'forty-two' }]));
    const { path, results } = await handOver('true');
    const address = await askWhere(results, zip.length);
    expect((await send(address, zip.slice(1))).status).toBe(403);
    expect((await send(address, new Uint8Array(zip.length + 1))).status).toBe(403);
    expect((await send(address, zip, {})).status).toBe(403);
    expect((await send(address, zip)).status).toBe(200);
    expect((await send(address, new Uint8Array(zip.length))).status).toBe(412);
    expect((await send(await askWhere(results, 5), new Uint8Array(5))).status).toBe(412);
    const [file] = await ada.listFiles(path);
    expect(file).toMatchObject({ filename: 'out.txt', length: 9 });
    expect((await ada.fetchFile(path, file?.fileid ?? '')).toString()).toBe('forty-two');
  });

  it('is told where its results are too large, and how large they may be', async () => {
    const { results } = await handOver('true');
    expect((await announce(results, maxResultsBytes)).status).toBe(307);
    const response = await announce(results, maxResultsBytes + 1);
    expect(response.status).toBe(413);
    expect(JSON.parse(await response.text())).toMatchObject({
      type: 'urn:slipway:problem:results-too-large',
      detail: expect.stringContaining('100001 bytes, but at most 100000'),
      limit: maxResultsBytes,
    });
  });

  it('fetches nothing any more once it was cancelled, and sends what it wrote', async () => {
    const { path, input, output, results } = await handOver('true');
    await ada.cancel(path);
    const response = await fetch(input);
    expect(response.status).toBe(404);
    expect(JSON.parse(await response.text()).type).toBe('urn:slipway:problem:job-not-found');

    expect(await tell(output, 'stdout=0,5&stderr=0,0&last=true', 'said\n')).toMatchObject({
      status: 200,
    });
    expect(await ada.listFiles(path)).toEqual([
      { fileid: 'stdout', filename: 'stdout', length: 5 },
      { fileid: 'stderr', filename: 'stderr', length: 0 },
    ]);
    const zip = Uint8Array.from(buildZip([{ name: 'out.txt', content: 'forty-two' }]));
    expect((await send(await askWhere(results, zip.length), zip)).status).toBe(200);
    expect(await ada.listFiles(path)).toMatchObject([{ filename: 'out.txt' }]);
    // Repeated, as by a client that lost the answer: what was sent stays.
    await ada.cancel(path);
    expect(await ada.listFiles(path)).toMatchObject([{ filename: 'out.txt' }]);
  });

  it('is followed by whoever asks for its files, and only then sends what it writes', async () => {
    const { path, output } = await handOver('true');
    expect(await tell(output, '', '')).toEqual({ status: 200, followed: false });
    expect(await tell(output, 'stdout=0,4&stderr=0,0', 'one\n')).toMatchObject({ followed: false });
    expect(await ada.listFiles(path)).toEqual([]);
    expect(await tell(output, '', '')).toEqual({ status: 200, followed: true });
    const sent = await tell(output, 'stdout=90000,4&stderr=0,6', 'one\nwrong\n');
    expect(sent).toEqual({ status: 200, followed: true });
    expect(await ada.listFiles(path)).toEqual([
      { fileid: 'stdout', filename: 'stdout', length: 4, starts_at: 90_000 },
      { fileid: 'stderr', filename: 'stderr', length: 6 },
    ]);
    expect((await ada.fetchFile(path, 'stdout')).toString()).toBe('one\n');
    expect((await ada.fetchFile(path, 'stderr')).toString()).toBe('wrong\n');
    // At once again: it is a job that was told to wait.
    await tell(output, 'stdout=0,4&stderr=0,0', 'two\n');
    expect((await ada.fetchFile(path, 'stdout')).toString()).toBe('one\n');
  });

  it('shows what it writes to its owner alone', async () => {
    const { path, output } = await handOver('true');
    await ada.listFiles(path);
    await tell(output, 'stdout=0,4&stderr=0,0', 'one\n');
    const { url, issuer } = slipway.service;
    const eve = new Researcher({ url, token: issuer.issueToken({ user: '99' }), user: '99' });
    expect(await eve.listFiles(path)).toMatchObject({ status: 404 });
    await expect(eve.fetchFile(path, 'stdout')).rejects.toThrow('job-not-found');
  });

  it('cannot use the address of the one for the other, nor for another job', async () => {
    const [one, two] = [await handOver('true'), await handOver('true')];
    const swap = (path: URL, query: URL) => `${path.origin}${path.pathname}${query.search}`;
    for (const address of [swap(one.input, one.results), swap(one.input, two.input)]) {
      expect((await fetch(address)).status).toBe(404);
    }
    const results = new URL(swap(one.results, two.results));
    expect((await announce(results, 5)).status).toBe(404);
  });

  it.runIf(canRunScripts)('can send small results along with the question', async () => {
    const file = join(directory, 'small.zip');
    writeFileSync(file, buildZip([{ name: 'small.txt', content: 'small' }]));
    const { path, results } = await handOver('true');
    // Not --upload-file, which appends the name of the file to a path that ends in a slash.
    const body = ['--request', 'PUT', '--data-binary', `@${file}`];
    const curl = ['--silent', '--location', '--header', 'If-None-Match: *', ...body];
    const status = ['--output', '/dev/null', '--write-out', '%{http_code}'];
    const { stdout } = await promisify(execFile)('curl', [...curl, ...status, results.href]);
    expect(stdout).toBe('200');
    expect(await ada.listFiles(path)).toMatchObject([{ filename: 'small.txt', length: 5 }]);
  });
});

/** What Slurm would do with it. */
async function run(script: string, more = {}): Promise<{ code: number; log: string }> {
  const file = join(directory, 'script.sh');
  writeFileSync(file, script);
  return promisify(execFile)('bash', [file], { env: { ...process.env, ...more } }).then(
    ({ stdout, stderr }) => ({ code: 0, log: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, log: stdout + stderr }),
  );
}

describe.runIf(canRunScripts)('the script of a job, with a real curl', () => {
  it('fetches the input, and sends the results; those of a later run count', async () => {
    const zip = buildZip([{ name: 'in.txt', content: 'forty-two' }]);
    const { path, script, jobId } = await handOver('tr a-z A-Z <in.txt >out.txt; date +%N', zip);
    expect(await run(script)).toEqual({ code: 0, log: '' });
    const files = await ada.listFiles(path);
    expect(files.map(({ filename }) => filename)).toEqual(['out.txt', 'stderr', 'stdout']);
    const read = (name: string) =>
      ada.fetchFile(path, files.find(({ filename }) => filename === name)?.fileid ?? '');
    expect((await read('out.txt')).toString()).toBe('FORTY-TWO');
    const first = await read('stdout');
    const isSent = { code: 0, log: 'slipway: The results of this run are there already.\n' };
    expect(await run(script)).toEqual(isSent);
    expect((await read('stdout')).equals(first)).toBe(true);
    expect(await run(script, { SLURM_RESTART_COUNT: '1' })).toEqual({ code: 0, log: '' });
    expect((await read('stdout')).equals(first)).toBe(false);
    const second = await read('stdout');
    // What a run sends that was ended on another node, and did not notice.
    expect(await run(script)).toEqual(isSent);
    expect((await read('stdout')).equals(second)).toBe(true);
    expect(existsSync(join(directory, jobId))).toBe(false);
  });

  it('says in its log that its results are too large, and keeps them', async () => {
    const { script, jobId } = await handOver('head -c 200000 /dev/urandom >large.bin');
    const { code, log } = await run(script);
    expect(code).toBe(244);
    expect(log).toMatch(/^slipway: The \d{6} bytes of the results could not be announced: refused/);
    expect(log).toContain('bytes, but at most 100000 are accepted.');
    expect(log).not.toContain('pass=');
    expect(readFileSync(join(directory, jobId, 'job', 'large.bin'))).toHaveLength(200_000);
  });

  it('says in its log why there is no input for a job that was cancelled', async () => {
    const { path, script } = await handOver('true');
    await ada.cancel(path);
    const { code, log } = await run(script);
    expect(code).toBe(241);
    expect(log).toMatch(
      /^slipway: .*HTTP 404\. Slipway knows no such living job: it was cancelled/,
    );
  });
});

describe('the link of a mail', () => {
  it('ends mails with its pass alone, and shows a page', async () => {
    const { url, issuer } = slipway.service;
    const address = { user: userId('306328'), email: 'ada@example.org' };
    const inAMinute = new Date(Date.now() + 60_000);
    const pass = createMailPasses(issuer.passSecret).write('unsubscribe', address, inAMinute);
    const link = `${url}/mail/unsubscribe/?pass=${pass}`;
    expect(await (await fetch(link)).text()).toContain('<h1>Stop all mails?</h1>');
    const ended = await fetch(link, { method: 'POST' });
    expect([ended.status, await ended.text()]).toEqual([
      200,
      expect.stringContaining('<h1>You are unsubscribed</h1>'),
    ]);
    expect((await fetch(`${link}x`, { method: 'POST' })).status).toBe(404);
  });
});

/** Debian's own Python. */
const python = '/usr/bin/python3';

/** Starts a container for a job as AWS Batch would, with nothing in its environment. */
async function runContainer({ path, jobId }: HandedOver, runId: string) {
  const [hpc = '', project = ''] = path.split('/').slice(-4);
  const { url, issuer } = slipway.service;
  const pass = createPasses(issuer.passSecret).write({
    purpose: 'script',
    jobId: nameJob(jobId),
    account: { user: userId('306328'), hpc: systemName(hpc), project: projectName(project) },
    endsAt: new Date(Date.now() + 60_000),
  });
  const address = `${url}/handover/${jobId}/script/?pass=${pass}`;
  const [, ...options] = writeBootstrap({ address });
  const env = { TMPDIR: directory, AWS_BATCH_JOB_ID: runId };
  return promisify(execFile)(python, options, { env, cwd: '/' }).then(
    ({ stdout, stderr }) => ({ code: 0, log: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, log: stdout + stderr }),
  );
}

describe.runIf(existsSync(python))('the script of a container', () => {
  it('reaches the whole service: one run computes, and any other ends at once', async () => {
    const zip = buildZip([{ name: 'in.txt', content: 'forty-two' }]);
    const job = await handOver('read -r text <in.txt; echo "$text" >out.txt; exit 7', zip);
    const handle = String(fake.queue.find(({ name }) => name === job.jobId)?.id);
    const storedHandle = () => runContainer(job, handle);
    const [stranger, own] = await Promise.all([runContainer(job, 'another'), storedHandle()]);
    expect(stranger.code).toBe(246);
    expect(own).toEqual({ code: 7, log: '' });
    const files = await ada.listFiles(job.path);
    expect(files.map(({ filename }) => filename)).toEqual(['out.txt', 'stderr', 'stdout']);
    const again = await storedHandle();
    expect(again).toMatchObject({ code: 7, log: expect.stringContaining('there already') });
    await ada.cancel(job.path);
    expect(await storedHandle()).toMatchObject({ code: 247 });
  });

  it('runs once if two containers start before any handle is known', async () => {
    // The answer to the hand-over is lost, and nobody can find the job by its name.
    fake.replies.push({ to: 'job/submit', reply: 'hang up' });
    for (let time = 0; time < 100; time += 1) fake.replies.push({ to: '/jobs', reply: 'hang up' });
    const job = await handOver('echo "$AWS_BATCH_JOB_ID" >out.txt; exit 7');
    const runs = ['first', 'second'];
    const ends = await Promise.all(runs.map((id) => runContainer(job, id)));
    fake.replies.length = 0;
    expect(ends.map(({ code }) => code).toSorted()).toEqual([246, 7]);
    const winner = runs[ends.findIndex(({ code }) => code === 7)];
    const files = await ada.listFiles(job.path);
    const out = files.find(({ filename }) => filename === 'out.txt');
    expect((await ada.fetchFile(job.path, out?.fileid ?? '')).toString()).toBe(`${winner}\n`);
  });
});
