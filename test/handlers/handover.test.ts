import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as handOutInput } from '#functions/handover/hand-out-input.ts';
import { handler as takeResults } from '#functions/handover/take-results.ts';
import { makeBatchId } from '#lib/batches/batch.ts';
import { jobFromItem } from '#lib/jobs/job.ts';
import { newLifeToItem } from '#lib/jobs/life/job-life.ts';
import { createPasses, type Pass, type PassPurpose } from '#lib/jobs/passes/passes.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { call } from '../fixtures/call.ts';
import { captureLog } from '../fixtures/captured-log.ts';
import { invalidRequest, jobNotFound, problem, readResponse } from '../fixtures/responses.ts';
import { hpcOne, hpcTwo, jobItem, otherUser, user } from '../fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();
const { jobId, hpc, project } = hpcOne;
const job = jobFromItem(jobItem(hpcOne));
const batch = makeBatchId(new Date(0));
const inputKey = `${user}/${jobId}.zip`;

const request = {
  type: 'job-request',
  schema_version: 1,
  program: 'ls -lisa',
  nodes: 2,
  cores_per_node: 6,
  extras: {},
  input_file: 'job_file.zip',
  input_bytes: 1000,
  input_key: inputKey,
};

function store(job: object | undefined, asked: object | undefined = request) {
  table
    .on(GetCommand)
    .callsFake(({ Key }) => ({ Item: Key.SK.startsWith('REQUEST#') ? asked : job }));
}

beforeEach(() => {
  table.reset();
  store(jobItem(hpcOne));
});

function writePass(purpose: PassPurpose, change: Partial<Pass> = {}, secret = passSecret): string {
  const endsAt = new Date(Date.now() + 60_000);
  return createPasses(secret).write({
    purpose,
    account: { user, hpc, project },
    jobId,
    endsAt,
    ...change,
  });
}

const passSecret = process.env.PASS_SECRET ?? '';

const routes = {
  input: { method: 'GET', handler: handOutInput, rest: '' },
  output: { method: 'PUT', handler: takeResults, rest: '' },
  results: { method: 'PUT', handler: takeResults, rest: '&bytes=12345' },
} as const;

function ask(
  purpose: keyof typeof routes,
  pass = writePass(purpose),
  rest: string = routes[purpose].rest,
) {
  const { method, handler } = routes[purpose];
  const query = `pass=${pass}${rest}`;
  return call(handler, { method, path: `/handover/${jobId}/${purpose}/`, query });
}

/** What a signed address allows. */
function readSigned(location: unknown) {
  const { origin, pathname, searchParams } = new URL(String(location));
  const { 'X-Amz-Expires': seconds, 'X-Amz-SignedHeaders': headers } =
    Object.fromEntries(searchParams);
  return { place: `${origin}${pathname}`, seconds, headers };
}

describe('GET /handover/{job_id}/input/', () => {
  it('sends an active job on to its zip, by an address that was signed just now', async () => {
    const response = await ask('input');
    expect(response).toMatchObject({ statusCode: 307, headers: { 'cache-control': 'no-store' } });
    expect(response.body).toBeUndefined();
    expect(readSigned(response.headers?.location)).toEqual({
      place: `http://storage.test/inputs-test/${inputKey}`,
      seconds: '900',
      headers: 'host',
    });
    expect(sentCommands(table).map(([, input]) => input)).toEqual([
      {
        TableName: tableName,
        Key: { PK: `USER#${user}`, SK: `JOB#${hpc}#${project}#${jobId}` },
        ConsistentRead: true,
      },
      {
        TableName: tableName,
        Key: { PK: `USER#${user}`, SK: `REQUEST#${hpc}#${project}#${jobId}` },
        ConsistentRead: true,
      },
    ]);
  });

  it('knows no input of a job that has none', async () => {
    const { input_key: _, ...withoutInput } = request;
    store(jobItem(hpcOne), withoutInput);
    expect(readResponse(await ask('input'))).toEqual(jobNotFound);
  });
});

describe('GET /handover/{job_id}/script/', () => {
  const life = { ...newLifeToItem(job), attempts: 1, due_at: '2026-01-01T00:00:00.000Z' };

  function storeAll(stored: object = life) {
    table.on(GetCommand).callsFake(({ Key }) => ({
      Item: Key.SK.startsWith('REQUEST#')
        ? { ...request, environment: { SLIPWAY_INDEX: '7' } }
        : Key.SK.startsWith('LIFE#')
          ? stored
          : jobItem(hpcOne),
    }));
    table.on(UpdateCommand).resolves({});
  }
  const askFor = (rest = '&run=run-1', purpose: PassPurpose = 'script', method = 'GET') =>
    call(handOutInput, {
      method,
      path: `/handover/${jobId}/script/`,
      query: `pass=${writePass(purpose)}${rest}`,
    });

  it('hands the script to the first run, and notes which it is', async () => {
    storeAll();
    const response = await askFor();
    expect(response).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    const script = Buffer.from(response.body ?? '', 'base64').toString();
    expect(script).toContain('ls -lisa');
    expect(script).toContain('SLIPWAY_INDEX');
    for (const place of ['input', 'output', 'results']) {
      expect(script).toContain(`/handover/${jobId}/${place}/?pass=`);
    }
    const [, update] = sentCommands(table).find(([name]) => name === 'UpdateCommand') ?? [];
    expect(update).toMatchObject({
      Key: { PK: `USER#${user}`, SK: `LIFE#${hpc}#${project}#${jobId}` },
      ConditionExpression:
        'attribute_not_exists(#handle) AND attribute_not_exists(#waiting) AND ' +
        'attribute_not_exists(#cancel_pending) AND attribute_exists(due_at)',
      ExpressionAttributeValues: { ':handle': 'run-1' },
    });
  });

  it('writes nothing for the run that the hand-over has stored, and refuses any other', async () => {
    storeAll({ ...life, handle: 'run-1' });
    expect((await askFor()).statusCode).toBe(200);
    expect(readResponse(await askFor('&run=run-2'))).toEqual(
      problem({
        status: 409,
        slug: 'job-runs-elsewhere',
        title: 'Another run of the job has begun',
        detail: 'Another run of this job has begun, and a job runs only once. End this one.',
      }),
    );
    expect(sentCommands(table).map(([name]) => name)).not.toContain('UpdateCommand');
  });

  it('claims nothing for HEAD, and answers it as it would answer GET', async () => {
    storeAll();
    const response = await askFor('&run=run-1', 'script', 'HEAD');
    expect(response).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    expect(response.body).toBeUndefined();
    storeAll({ ...life, handle: 'run-1' });
    expect((await askFor('&run=run-2', 'script', 'HEAD')).statusCode).toBe(409);
    expect((await askFor('&run=run-1', 'input', 'HEAD')).statusCode).toBe(404);
    expect(sentCommands(table).map(([name]) => name)).not.toContain('UpdateCommand');
  });

  it.each([
    { what: 'waits for its turn', stored: { ...life, due_at: undefined } },
    { what: 'waits for others', stored: { ...life, waiting: true } },
    { what: 'is being cancelled', stored: { ...life, cancel_pending: true } },
  ])('answers HEAD and GET with 404 for a job that $what', async ({ stored }) => {
    storeAll(stored);
    for (const method of ['HEAD', 'GET']) {
      expect((await askFor('&run=run-1', 'script', method)).statusCode).toBe(404);
    }
    storeAll({ ...stored, handle: 'run-1' });
    expect((await askFor('&run=run-1', 'script', 'HEAD')).statusCode).toBe(200);
  });

  it('takes a pass only for its purpose', async () => {
    storeAll();
    for (const [rest, purpose] of [
      ['&run=run-1', 'input'],
      ['&run=run-1', 'array'],
      ['&run=run-1&task=0', 'script'],
    ] as const) {
      expect(readResponse(await askFor(rest, purpose))).toEqual(jobNotFound);
    }
    expect(sentCommands(table)).toEqual([]);
  });

  it('finds a task by the number of its job', async () => {
    const inBatch = { ...jobItem(hpcOne), batch_id: batch, batch_index: 1 };
    const ofArray = { ...life, handle: 'p:0', array: { name: `${batch}-0`, task: 3 } };
    table.on(GetCommand).callsFake(({ Key }) => ({
      Item: Key.SK.startsWith('REQUEST#')
        ? request
        : Key.SK.startsWith('LIFE#')
          ? ofArray
          : inBatch,
    }));
    table.on(QueryCommand).resolves({ Items: [inBatch] });
    expect((await askFor('&run=p:0&task=3', 'array')).statusCode).toBe(200);
  });

  it.each(['', '&run=', '&run=a/b', '&run=a&task=-1', '&run=a&task=100000'])(
    'answers 400 to %j',
    async (rest) => {
      expect((await askFor(rest)).statusCode).toBe(400);
      expect(sentCommands(table)).toEqual([]);
    },
  );
});

describe('PUT /handover/{job_id}/results/', () => {
  it('sends an active job on to an address for exactly its results, once', async () => {
    const response = await ask('results');
    expect(response).toMatchObject({ statusCode: 307, headers: { 'cache-control': 'no-store' } });
    expect(readSigned(response.headers?.location)).toEqual({
      place: `http://storage.test/results-test/${user}/${jobId}.zip`,
      seconds: '900',
      headers: 'content-length;host;if-none-match',
    });
    expect(sentCommands(table)).toHaveLength(1);
  });

  it('keeps what a job says of its command where it had to wait, and writes nothing else', async () => {
    await ask('results', undefined, '&bytes=5&before=4&after=4');
    expect(sentCommands(table).map(([name]) => name)).toEqual(['GetCommand']);
    table.on(UpdateCommand).resolves({});
    const before = Date.now();
    expect(await ask('results', undefined, '&bytes=5&before=7&after=120')).toMatchObject({
      statusCode: 307,
    });
    const [name, sent] = sentCommands(table).at(-1) ?? [];
    expect(name).toBe('UpdateCommand');
    expect(sent).toMatchObject({
      Key: { PK: `USER#${user}`, SK: `LIFE#${hpc}#${project}#${jobId}` },
      UpdateExpression: 'SET #command = :command',
      ExpressionAttributeValues: { ':command': { seconds_before: 7 } },
    });
    const { ended_at } = Object(sent).ExpressionAttributeValues[':command'];
    expect(Math.abs(Date.parse(ended_at) + 120_000 - before)).toBeLessThan(60_000);
  });

  it.each(['-1', '1e9', '1.5', '9999999999', ''])('refuses %j seconds', async (seconds) => {
    expect((await ask('results', undefined, `&bytes=5&after=${seconds}`)).statusCode).toBe(400);
  });

  it('takes the length of a body for what will come, where the query does not say it', async () => {
    const path = `/handover/${jobId}/results/`;
    const query = `pass=${writePass('results')}`;
    const headers = { 'content-length': '9' };
    const body = Buffer.from('the bytes');
    const response = await call(takeResults, { method: 'PUT', path, query, headers, body });
    expect(response.statusCode).toBe(307);
    const asked = await call(takeResults, { method: 'PUT', path, query: `${query}&bytes=9` });
    expect(readSigned(response.headers?.location)).toEqual(readSigned(asked.headers?.location));
  });

  it('takes as many bytes as the catalog allows, and says how many that are', async () => {
    const pass = writePass('results');
    expect((await ask('results', pass, '&bytes=5000000000')).statusCode).toBe(307);
    expect(readResponse(await ask('results', pass, '&bytes=5000000001'))).toEqual(
      problem({
        status: 413,
        slug: 'results-too-large',
        title: 'The results are too large',
        detail:
          'The results have 5000000001 bytes, but at most 5000000000 are accepted. ' +
          'Have the job delete the files that you do not need before it ends.',
        members: { limit: 5_000_000_000 },
      }),
    );
  });

  it.each(['', '&bytes=', '&bytes=0', '&bytes=-1', '&bytes=1.5', '&bytes=1e3', '&bytes=all'])(
    'answers 400 to %j',
    async (rest) => {
      const message =
        'It must be the number of bytes to send: a whole number from 1. A request with a body may leave it out.';
      expect(readResponse(await ask('results', writePass('results'), rest))).toEqual(
        invalidRequest([{ location: 'query', name: 'bytes', message }]),
      );
      expect(sentCommands(table)).toEqual([]);
    },
  );
});

describe('PUT /handover/{job_id}/output/', () => {
  const send = (rest: string, body: string) =>
    call(takeResults, {
      method: 'PUT',
      path: `/handover/${jobId}/output/`,
      query: `pass=${writePass('output')}${rest}`,
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.from(body),
    });

  it('costs one small read where nobody follows the job, and stores nothing', async () => {
    store(undefined);
    for (const response of [await ask('output'), await send('&stdout=0,4&stderr=0,0', 'one\n')]) {
      expect(response).toMatchObject({ statusCode: 200, body: '{"followed":false}' });
    }
    const read = {
      TableName: tableName,
      Key: { PK: `USER#${user}`, SK: `FOLLOWER#${hpc}#${project}#${jobId}` },
    };
    expect(sentCommands(table).map(([, input]) => input)).toEqual([read, read]);
  });

  it('says that somebody follows it, until a minute after they last asked', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    store({ expires_at: seconds + 30 });
    expect(await ask('output')).toMatchObject({ body: '{"followed":true}' });
    store({ expires_at: seconds - 1 });
    expect(await ask('output')).toMatchObject({ body: '{"followed":false}' });
  });

  it.each([
    { rest: '&stdout=0,4', body: 'one\n' },
    { rest: '&stderr=0,4', body: 'one\n' },
    { rest: '&stdout=0,5&stderr=0,0', body: 'one\n' },
    { rest: '&stdout=0,4&stderr=0,1', body: 'one\n' },
    { rest: '&stdout=-1,4&stderr=0,0', body: 'one\n' },
    { rest: '&stdout=0,65537&stderr=0,0', body: 'a'.repeat(65_537) },
    { rest: '&stdout=0,4&stderr=0,0&last=maybe', body: 'one\n' },
  ])('refuses $rest', async ({ rest, body }) => {
    expect((await send(rest, body)).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });

  it('takes nothing of a job that has ended, other than by a cancel just now', async () => {
    const last = '&stdout=0,4&stderr=0,0&last=true';
    store(jobItem(hpcOne, { ended: true }));
    expect(readResponse(await send(last, 'one\n'))).toEqual(jobNotFound);
    const cancelled = { ...jobItem(hpcOne, { ended: true }), stage: 'CANCELED' };
    store({ ...cancelled, end_date: new Date(Date.now() - 16 * 60_000).toISOString() });
    expect(readResponse(await send(last, 'one\n'))).toEqual(jobNotFound);
    store({ ...cancelled, end_date: new Date(Date.now() - 60_000).toISOString() });
    expect((await ask('results')).statusCode).toBe(307);
  });

  it('knows a pass for nothing else', async () => {
    for (const purpose of ['input', 'results'] as const) {
      expect(readResponse(await ask('output', writePass(purpose)))).toEqual(jobNotFound);
      expect(readResponse(await ask(purpose, writePass('output')))).toEqual(jobNotFound);
    }
    expect(sentCommands(table)).toEqual([]);
  });
});

describe.each(['input', 'results'] as const)('the address of the %s of a job', (purpose) => {
  const other = purpose === 'input' ? 'results' : 'input';
  const later = new Date(Date.now() + 60_000);

  it.each([
    { what: 'nothing', pass: () => '' },
    { what: 'nonsense', pass: () => 'nonsense' },
    { what: 'one that was cut', pass: () => writePass(purpose).slice(0, -1) },
    { what: 'one for something else', pass: () => writePass(other) },
    { what: 'one for another job', pass: () => writePass(purpose, { jobId: hpcTwo.jobId }) },
    { what: 'one with another secret', pass: () => writePass(purpose, {}, 'another secret') },
    { what: 'one that has ended', pass: () => writePass(purpose, { endsAt: new Date() }) },
  ])('reads nothing for $what, and knows no such job', async ({ pass }) => {
    expect(readResponse(await ask(purpose, pass()))).toEqual(jobNotFound);
    expect(sentCommands(table)).toEqual([]);
  });

  it('knows no job that is not there, or has ended, in the same words', async () => {
    store(undefined);
    expect(readResponse(await ask(purpose))).toEqual(jobNotFound);
    store(jobItem(hpcOne, { ended: true }));
    expect(readResponse(await ask(purpose))).toEqual(jobNotFound);
  });

  it('looks where its pass says, whoever calls', async () => {
    const account = { user: otherUser, hpc, project };
    await ask(purpose, writePass(purpose, { account, endsAt: later }));
    expect(sentCommands(table)[0]).toMatchObject([
      'GetCommand',
      { Key: { PK: `USER#${otherUser}` } },
    ]);
  });

  it('takes no parameter that it does not know', async () => {
    const { rest } = routes[purpose];
    const response = await ask(purpose, writePass(purpose), `${rest}&more=1`);
    expect(response.statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });

  it('is not in the log, and neither is the one that it leads to', async () => {
    const log = captureLog();
    const pass = writePass(purpose);
    const { headers } = await ask(purpose, pass);
    await ask(purpose, `${pass}A`);
    table.on(GetCommand).rejects(new TableUnavailableError());
    expect((await ask(purpose, pass)).statusCode).toBe(503);
    const signature = new URL(String(headers?.location)).searchParams.get('X-Amz-Signature') ?? '';
    expect(signature).not.toBe('');
    const text = log.join('\n');
    expect(text).toContain(`/handover/${jobId}/${purpose}/`);
    for (const secret of [pass.split('.').at(-1) ?? '', 'pass=', signature, 'X-Amz']) {
      expect(text).not.toContain(secret);
    }
  });
});
