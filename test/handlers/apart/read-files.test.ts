import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/files/read-files.ts';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { asUser, call } from '#test/fixtures/call.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { userId } from '#test/fixtures/names.ts';
import { answer, jobNotFound, problem, readResponse } from '#test/fixtures/responses.ts';
import { jobItem, lifeItem, systemSamples, user } from '#test/fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '#test/fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(GetCommand).resolves({});
  table.on(BatchGetCommand).resolves({});
});
afterEach(() => vi.unstubAllEnvs());

const fileNotFound = problem({
  status: 404,
  slug: 'file-not-found',
  title: 'Unknown file',
  detail: "File not found. List the job's files to see their names.",
});

describe.each(systemSamples)('GET /files/ on $hpc', (sample) => {
  const { hpc, project, jobId } = sample;
  const path = `/files/${hpc}/${project}/${jobId}/`;
  const read = (at = path, headers = asUser()) => call(handler, { path: at, headers });
  const key = { PK: `USER#${user}`, SK: `JOB#${hpc}#${project}#${jobId}` };
  const lifeKey = { ...key, SK: `LIFE#${hpc}#${project}#${jobId}` };

  function store(job: object, life: object = {}) {
    table.on(GetCommand, { Key: key }).resolves({ Item: { ...jobItem(sample), ...job } });
    table.on(GetCommand, { Key: lifeKey }).resolves({ Item: { ...lifeItem(sample), ...life } });
  }

  /** A job of the simulator that began a day ago. */
  function simulate(title = 'a job title') {
    store({ stage: sample.doneStage, terminal: true }, { handle: jobId });
    const order = { program: sample.program, nodes: 2, cores_per_node: 6, input: 'none' };
    const accepted = new Date(Date.now() - 86_400_000).toISOString();
    const PK = `SIMULATOR#${hpc}`;
    const stored = (what: string) => ({ type: `simulated-${what}`, schema_version: 1 });
    table.on(BatchGetCommand).resolves({
      Responses: {
        [tableName]: [
          { PK, SK: jobId, ...stored('job'), accepted_at: accepted, hours: 0.5, title },
          { PK, SK: `${jobId}#ORDER`, ...stored('order'), ...order },
        ],
      },
    });
  }

  it('lists the files of a job that its system keeps, and asks for nothing else', async () => {
    simulate();
    const response = readResponse(await read());
    const names = ['listing.txt', 'stderr', 'stdout'];
    expect(response).toEqual(
      answer(
        200,
        names.map((name) => ({ fileid: name, filename: name, length: expect.any(Number) })),
      ),
    );
    expect(response.body).toMatchObject([{ length: 'no input\n'.length }, { length: 0 }, {}]);
    expect(sentCommands(table)).toEqual([
      ['GetCommand', { TableName: tableName, Key: key, ConsistentRead: true }],
      ['GetCommand', { TableName: tableName, Key: lifeKey, ConsistentRead: true }],
      [
        'GetCommand',
        {
          TableName: tableName,
          Key: { PK: `SYSTEM#${hpc}`, SK: 'BREAKER' },
          ConsistentRead: true,
        },
      ],
      [
        'BatchGetCommand',
        {
          RequestItems: {
            [tableName]: {
              Keys: [
                { PK: `SIMULATOR#${hpc}`, SK: jobId },
                { PK: `SIMULATOR#${hpc}`, SK: `${jobId}#ORDER` },
              ],
              ConsistentRead: true,
            },
          },
        },
      ],
    ]);
  });

  it.each(['listing.txt/', 'listing.txt'])('gives the bytes of %s', async (file) => {
    simulate();
    expect(await read(`${path}${file}`)).toEqual({
      statusCode: 200,
      headers: {
        'cache-control': 'no-store',
        'content-disposition': 'attachment; filename=listing.txt',
        'content-type': 'application/octet-stream',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
      },
      body: Buffer.from('no input\n').toString('base64'),
      isBase64Encoded: true,
    });
  });

  it('names the command or the tool in stdout', async () => {
    simulate();
    const { body = '' } = await read(`${path}stdout/`);
    const text = Buffer.from(body, 'base64').toString();
    const { field } = findSystem(catalog, hpc).program;
    expect(text).toContain(`\n${field}: ${sample.program}\n`);
  });

  it('answers 404 for a file that the job has not', async () => {
    simulate();
    expect(readResponse(await read(`${path}other/`))).toEqual(fileNotFound);
  });

  it.each([
    { what: 'has not been handed over', job: {}, life: {} },
    { what: 'was brought in from elsewhere', job: { terminal: true }, life: {} },
    {
      what: 'was deleted',
      job: { stage: 'DELETED', terminal: true },
      life: { handle: jobId },
    },
  ])('has no files of a job that $what, and asks no system', async ({ job, life }) => {
    store(job, life);
    expect(readResponse(await read())).toEqual(answer(200, []));
    expect(readResponse(await read(`${path}stdout/`))).toEqual(fileNotFound);
    expect(sentCommands(table)).toHaveLength(4);
  });

  it.each(['', 'stdout/'])(
    'answers 404 for a job that is not the caller’s, at %j',
    async (file) => {
      expect(readResponse(await read(`${path}${file}`))).toEqual(jobNotFound);
      expect(readResponse(await read(`${path}${file}`, asUser(userId('306329'))))).toEqual(
        jobNotFound,
      );
    },
  );

  it('answers 503 while the system is not called', async () => {
    simulate();
    table.on(GetCommand, { Key: { PK: `SYSTEM#${hpc}`, SK: 'BREAKER' } }).resolves({
      Item: {
        failures: 5,
        pause_seconds: 30,
        open_until: new Date(Date.now() + 20_000).toISOString(),
      },
    });
    expect(readResponse(await read())).toEqual(
      problem({
        status: 503,
        slug: 'system-unavailable',
        title: 'The HPC system is down',
        detail: 'The HPC system cannot be reached right now. Nothing is lost. Try again later.',
        headers: { 'retry-after': '30' },
      }),
    );
    expect(table.commandCalls(BatchGetCommand)).toHaveLength(0);
  });

  it('answers 503 where the system does not answer', async () => {
    captureLog();
    vi.stubEnv('SIM_FAULTS', `${hpc}:down`);
    vi.resetModules();
    const faulty = await import('#functions/files/read-files.ts');
    simulate();
    const response = await call(faulty.handler, { path, headers: asUser() });
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({ 'retry-after': '30' });
  });

  it('refuses parameters', async () => {
    const response = await call(handler, { path, query: 'limit=1', headers: asUser() });
    expect(response.statusCode).toBe(400);
  });
});
