import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeJob } from '#lib/hpc/unicore/describe-job.ts';
import { jobId } from '#test/fixtures/names.ts';
import { type Bench, firstJob, keepCredentials, openUnicore, order, tag } from './open-unicore.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openUnicore(keepCredentials({ username: 'slipway', password: 'right' }));
  bench.server.authorization = `Basic ${Buffer.from('slipway:right').toString('base64')}`;
});
afterEach(() => bench.server.close());

const { input: _, ...withoutInput } = order;

function listCalls({ server }: Bench): string[] {
  return server.listCalls().map((call) => call.replace(/(jobs|storages)\/\w+/, '$1/ID'));
}

describe('submit', () => {
  it('creates the job, sends the input, then starts it', async () => {
    const { server, connector } = bench;
    const handle = await connector.submit({ ...order, isFirst: true });
    const remote = server.jobs.get(handle)!;
    expect(remote).toMatchObject({ status: 'QUEUED', starts: 1 });
    expect(remote.description).toEqual({
      Name: 'a title',
      Tags: [tag.jobId],
      Executable: '/bin/bash',
      Arguments: ['slipway.sh'],
      Imports: [{ From: 'inline://slipway', To: 'slipway.sh', Data: expect.any(String) }],
      Resources: { Runtime: '5400', Nodes: '2', CPUsPerNode: '4' },
      haveClientStageIn: 'true',
    });
    expect(readFileSync(join(remote.directory, 'input.zip'), 'utf8')).toBe('zip');
    expect(listCalls(bench)).toEqual([
      'POST /SITE/rest/core/jobs',
      'GET /SITE/rest/core/jobs/ID',
      'GET /SITE/rest/core/storages/ID-uspace',
      'PUT /SITE/rest/core/storages/ID-uspace/files/input.zip',
      'POST /SITE/rest/core/jobs/ID/actions/start',
    ]);
  });

  it('runs the command in the shell of the system, after its setup', () => {
    const site = { shell: 'login', setup: ['module load solver'] } as const;
    const [script] = describeJob(order, site).Imports;
    expect(script?.Data).toContain(`bash -l -c -- 'module load solver\n'"$command_text"`);
  });

  it('needs one call for a job without input, which starts by itself', async () => {
    const handle = await bench.connector.submit({ ...withoutInput, isFirst: true });
    expect(bench.server.jobs.get(handle)).toMatchObject({ status: 'QUEUED', starts: 0 });
    expect(listCalls(bench)).toEqual(['POST /SITE/rest/core/jobs']);
  });

  it('looks for the job first unless it is told that there cannot be one', async () => {
    await bench.connector.submit(withoutInput);
    expect(listCalls(bench)).toEqual(['GET /SITE/rest/core/jobs', 'POST /SITE/rest/core/jobs']);
  });

  it('sends no input to a site whose jobs fetch it', async () => {
    bench.server.close();
    bench = await openUnicore(undefined, 5, { movesOwnFiles: true });
    const resultsAddress = 'https://slipway.example/results?pass=1';
    const handle = await bench.connector.submit({ ...order, resultsAddress, isFirst: true });
    const remote = bench.server.jobs.get(handle)!;
    expect(remote).toMatchObject({ status: 'QUEUED', starts: 0 });
    const script = remote.description.Imports?.[0]?.Data ?? '';
    expect(script).toContain("input_address='https://bucket.example/in.zip'");
    expect(script).toContain(`results_address='${resultsAddress}'`);
  });

  it('names no address of this service at other sites', () => {
    const description = describeJob({ ...order, resultsAddress: 'https://slipway.example/' }, {});
    expect(JSON.stringify(description)).not.toContain('slipway.example');
  });

  it.each([{ program: 'echo a\0b' }, { environment: { NAME: 'a\0b' } }])(
    'refuses a NUL in %j',
    async (change) => {
      await expect(bench.connector.submit({ ...order, ...change })).rejects.toMatchObject({
        name: 'JobRefusedError',
        message: 'The command contains a NUL character.',
      });
      expect(bench.server.requests).toEqual([]);
    },
  );

  it.each([
    { title: 'run `id` $(id)\nnow', name: 'run _id_ __id__now' },
    { title: '', name: 'job' },
    { title: 'ü'.repeat(101), name: 'ü'.repeat(100) },
  ])('names the job $name', ({ title, name }) => {
    expect(describeJob({ ...order, title }, {}).Name).toBe(name);
  });

  it.each([400, 413, 422])('passes on why the job was refused (%d)', async (status) => {
    const body = JSON.stringify({ errorMessage: 'Nodes: at most 1', status });
    bench.server.failNext(/^POST .*jobs$/, { status, body });
    await expect(bench.connector.submit(order)).rejects.toMatchObject({
      name: 'JobRefusedError',
      message: 'Nodes: at most 1',
    });
  });

  it.each([
    { status: 404, name: 'SystemUnavailableError' },
    { status: 500, name: 'SystemUnavailableError' },
    { status: 503, name: 'SystemUnavailableError' },
    { status: 429, name: 'SystemBusyError' },
    { status: 201, name: 'SystemUnavailableError' },
  ])('does not blame the job for a $status without address', async ({ status, name }) => {
    bench.server.failNext(/^POST .*jobs$/, { status });
    await expect(bench.connector.submit(order)).rejects.toMatchObject({ name });
  });

  it('waits for a server that has just started', async () => {
    const errorMessage =
      'Could not submit job: eu.unicore.security.AuthorisationException: There are no accessible targetsystem factories for: CN=slipway';
    bench.server.failNext(/^POST/, { status: 401, body: JSON.stringify({ errorMessage }) });
    await expect(bench.connector.submit(order)).rejects.toMatchObject({
      name: 'SystemBusyError',
      said: 'The HPC system has just started and accepts no jobs yet.',
    });
    bench.server.failNext(/^POST/, { status: 401 }, 2);
    await expect(bench.connector.submit(order)).rejects.toMatchObject({
      name: 'CredentialsRefusedError',
    });
  });
});

describe('a working directory that is not ready', () => {
  it('puts the job off for seconds, and the next try continues it', async () => {
    bench.server.close();
    bench = await openUnicore(undefined, 5, { storageDelayMs: 100_000 });
    const { server, connector } = bench;
    await expect(connector.submit({ ...order, isFirst: true })).rejects.toMatchObject({
      name: 'SystemBusyError',
      retryAfterSeconds: 2,
      said: 'The HPC system is still preparing the directory of the job.',
    });
    expect(server.listCalls().filter((call) => call.startsWith('PUT'))).toEqual([]);
    const job = firstJob(server)!;
    server.batch.all.set(job.id, { ...job, readyAt: 0 });
    const handle = await connector.submit(order);
    expect([...server.jobs.keys()]).toEqual([handle]);
    expect(server.jobs.get(handle)).toMatchObject({ status: 'QUEUED', starts: 1 });
  });

  it.each([
    {
      body: JSON.stringify({ errorMessage: "'null/input.zip'", status: 500 }),
      name: 'SystemBusyError',
    },
    // Nobody says that only this upload was refused.
    { body: '<html>', name: 'SystemUnavailableError' },
  ])('does not blame the system for a refused upload: $name', async ({ body, name }) => {
    bench.server.failNext(/^PUT/, { status: 500, body });
    await expect(bench.connector.submit(order)).rejects.toMatchObject({ name });
    expect(firstJob(bench.server)).toMatchObject({ status: 'READY', starts: 0 });
  });
});

describe('a lost answer', () => {
  it.each([
    { lost: 'the creation', call: /^POST .*jobs$/ },
    { lost: 'the read of the links', call: /^GET .*jobs\/./ },
    { lost: 'the read of the directory', call: /^GET .*uspace$/ },
    { lost: 'the upload', call: /^PUT/ },
  ])('to $lost leaves one job, which the next try continues', async ({ call }) => {
    const { server, connector } = bench;
    server.failNext(call, 'lost answer');
    await expect(connector.submit(order)).rejects.toMatchObject({ name: 'SystemUnavailableError' });
    expect(firstJob(server)).toMatchObject({ status: 'READY', starts: 0 });
    // It waits: whoever asks must be told to try again, unless to cancel it.
    expect(await connector.findByTag(tag)).toBeUndefined();
    expect(await connector.findBegun?.(tag)).toBe(firstJob(server)?.id);
    const handle = await connector.submit(order);
    expect([...server.jobs.keys()]).toEqual([handle]);
    expect(firstJob(server)).toMatchObject({ status: 'QUEUED', starts: 1 });
    expect(readFileSync(join(firstJob(server)!.directory, 'input.zip'), 'utf8')).toBe('zip');
    expect(await connector.findByTag(tag)).toBe(handle);
  });

  it('to the start leaves one job, found by its tag', async () => {
    const { server, connector } = bench;
    server.failNext(/actions\/start$/, 'lost answer');
    await expect(connector.submit(order)).rejects.toMatchObject({ name: 'SystemUnavailableError' });
    expect([...server.jobs.keys()]).toEqual([await connector.findByTag(tag)]);
    // And a second try does nothing any more.
    await connector.submit(order);
    expect(firstJob(server)).toMatchObject({ starts: 1 });
    expect(server.jobs.size).toBe(1);
  });

  it('finds no job of another tag, even where the system lists all', async () => {
    const { server, connector } = bench;
    const other = await connector.submit({ ...order, jobId: jobId('OTHER') });
    const body = JSON.stringify({ jobs: [`${server.baseUrl}/jobs/${other}`] });
    server.failNext(/^GET .*jobs$/, { status: 200, body }, 3);
    expect(await connector.findByTag(tag)).toBeUndefined();
    expect(await connector.findBegun?.(tag)).toBeUndefined();
    expect(await connector.submit(order)).not.toBe(other);
    expect(server.jobs.get(other)).toMatchObject({ starts: 1 });
  });

  it('during the search is an error: a job that is not seen would be made twice', async () => {
    const { server, connector } = bench;
    await connector.submit(order);
    server.failNext(/^GET .*jobs\/./, { status: 500 });
    await expect(connector.findByTag(tag)).rejects.toMatchObject({
      name: 'SystemUnavailableError',
    });
  });
});
