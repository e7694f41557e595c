import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeJob } from '#lib/hpc/unicore/submit-job.ts';
import { jobId } from '#test/fixtures/names.ts';
import { type Bench, firstJob, openUnicore, order, tag } from './open-unicore.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openUnicore();
});
afterEach(() => bench.server.close());

describe('submit', () => {
  it('creates the job, sends the input, then starts it', async () => {
    const { server, connector } = bench;
    const handle = await connector.submit(order);
    const remote = server.jobs.get(handle);
    expect(remote).toMatchObject({ status: 'QUEUED', starts: 1 });
    expect(remote?.description).toEqual({
      Name: 'a title',
      Tags: [tag.jobId],
      Executable: '/bin/bash',
      Arguments: ['-c', `'echo '\\''a b'\\'' > "$HOME"'`],
      Resources: { Runtime: '5400', Nodes: '2', CPUsPerNode: '4' },
      haveClientStageIn: 'true',
    });
    expect(remote?.files).toEqual(new Map([['in put.zip', Buffer.from('zip')]]));
    const calls = server.listCalls().map((call) => call.replace(/[\w-]{36}/, 'ID'));
    expect(calls).toEqual([
      'GET /SITE/rest/core/jobs',
      'POST /SITE/rest/core/jobs',
      'GET /SITE/rest/core/jobs/ID',
      'PUT /SITE/rest/core/storages/ID-uspace/files/in%20put.zip',
      'POST /SITE/rest/core/jobs/ID/actions/start',
    ]);
  });

  it.each(['../../x-uspace/files/y', '..', 'a\nb'])('sends no input named %j', async (fileName) => {
    const input = { ...order.input!, fileName };
    await expect(bench.connector.submit({ ...order, input })).rejects.toMatchObject({
      name: 'JobRefusedError',
    });
    expect(bench.server.requests).toEqual([]);
  });

  it('starts a job without input', async () => {
    const { input: _, ...rest } = order;
    const handle = await bench.connector.submit(rest);
    expect(bench.server.jobs.get(handle)).toMatchObject({ status: 'QUEUED', files: new Map() });
  });

  it.each([
    'echo plain words',
    `echo "it's" 'a "quoted"' word; echo $((1 + 1)) \`echo tick\``,
    "echo ''\\'''; echo \\\\; echo '$HOME' \"*\" | cat",
    'echo first\necho second # comment',
  ])('gives the shell the command as it was written: %j', (program) => {
    const { Executable, Arguments } = describeJob({ ...order, program }, {});
    // What UNICORE makes of it: one line of a script, nothing quoted.
    const line = [Executable, ...Arguments].join(' ');
    const run = (command: string) => execFileSync('/bin/bash', ['-c', command]).toString();
    expect(run(line)).toBe(run(program));
  });

  it('gives the command its variables, whatever characters they have', () => {
    const environment = { SLIPWAY_INDEX: '7', SLIPWAY_NAME: `it's "$HOME" \`id\` \\ a\nb` };
    const program = 'printf "%s|" "$SLIPWAY_INDEX" "$SLIPWAY_NAME"';
    const { Executable, Arguments } = describeJob({ ...order, program, environment }, {});
    const line = [Executable, ...Arguments].join(' ');
    const printed = execFileSync('/bin/bash', ['-c', line]).toString();
    expect(printed).toBe(`7|${environment.SLIPWAY_NAME}|`);
  });

  it.each([
    { title: 'run `id` $(id)\nnow', name: 'run _id_ __id__now' },
    { title: '', name: 'job' },
    { title: 'ü'.repeat(101), name: 'ü'.repeat(100) },
  ])('names the job $name', ({ title, name }) => {
    expect(describeJob({ ...order, title }, {}).Name).toBe(name);
  });

  it('asks for what the site wants of every job', () => {
    expect(describeJob(order, { Queue: 'batch' }).Resources).toMatchObject({ Queue: 'batch' });
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
});

describe('a lost answer', () => {
  it.each([
    { lost: 'the creation', call: /^POST .*jobs$/ },
    { lost: 'the read of the links', call: /^GET .*jobs\/./ },
    { lost: 'the upload', call: /^PUT/ },
  ])('to $lost leaves one job, which the next try continues', async ({ call }) => {
    const { server, connector } = bench;
    server.failNext(call, 'lost answer');
    await expect(connector.submit(order)).rejects.toMatchObject({ name: 'SystemUnavailableError' });
    expect(firstJob(server)).toMatchObject({ status: 'READY', starts: 0 });
    // It waits: whoever asks must be told to try again.
    expect(await connector.findByTag(tag)).toBeUndefined();
    const handle = await connector.submit(order);
    expect([...server.jobs.keys()]).toEqual([handle]);
    expect(firstJob(server)).toMatchObject({ status: 'QUEUED', starts: 1 });
    expect(firstJob(server)?.files.get('in put.zip')).toEqual(Buffer.from('zip'));
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
    server.failNext(/^GET .*jobs$/, { status: 200, body }, 2);
    expect(await connector.findByTag(tag)).toBeUndefined();
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
