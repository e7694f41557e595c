import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as handOutInput } from '#functions/handover/hand-out-input.ts';
import { handler as takeResults } from '#functions/handover/take-results.ts';
import { makeBatchId } from '#lib/batches/batch.ts';
import { createPasses, type Pass, type PassPurpose } from '#lib/jobs/passes/passes.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { call } from '../fixtures/call.ts';
import { captureLog } from '../fixtures/captured-log.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { invalidRequest, jobNotFound, readResponse, refusalOf } from '../fixtures/responses.ts';
import {
  hpcOne,
  hpcTwo,
  jobItem,
  jobRequestItem,
  lifeItem,
  otherUser,
  user,
} from '../fixtures/samples.ts';
import { sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
const { jobId, hpc, project } = hpcOne;
const account = { user, hpc, project };
const follower = { PK: `USER#${user}`, SK: `FOLLOWER#${hpc}#${project}#${jobId}` };
const passSecret = process.env.PASS_SECRET ?? '';

beforeEach(() => table.hold(jobItem(hpcOne), jobRequestItem(hpcOne)));

function writePass(purpose: PassPurpose, change: Partial<Pass> = {}, secret = passSecret): string {
  const endsAt = new Date(Date.now() + 60_000);
  return createPasses(secret).write({ purpose, account, jobId, endsAt, ...change });
}

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
      place: `http://storage.test/inputs-test/${user}/${jobId}.zip`,
      seconds: '900',
      headers: 'host',
    });
  });

  it('knows no input of a job that has none', async () => {
    const { input_key: _, ...withoutInput } = jobRequestItem(hpcOne);
    await table.hold(withoutInput);
    expect(readResponse(await ask('input'))).toEqual(jobNotFound);
  });
});

describe('GET /handover/{job_id}/script/', () => {
  const life = { ...lifeItem(hpcOne), attempts: 1, due_at: '2026-01-01T00:00:00.000Z' };
  const claimed = { ...life, handle: 'run-1' };
  const askFor = (rest = '&run=run-1', purpose: PassPurpose = 'script', method = 'GET') =>
    call(handOutInput, {
      method,
      path: `/handover/${jobId}/script/`,
      query: `pass=${writePass(purpose)}${rest}`,
    });

  it('hands the script to the first run, notes which it is, and refuses any other', async () => {
    await table.hold(life, jobRequestItem(hpcOne, { environment: { SLIPWAY_INDEX: '7' } }));
    for (const _ of ['first', 'again']) {
      const response = await askFor();
      expect(response).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
      const script = Buffer.from(response.body ?? '', 'base64').toString();
      expect(script).toContain('ls -lisa');
      expect(script).toContain('SLIPWAY_INDEX');
      for (const place of ['input', 'output', 'results']) {
        expect(script).toContain(`/handover/${jobId}/${place}/?pass=`);
      }
    }
    expect(await table.read(life)).toMatchObject({ handle: 'run-1' });
    expect(refusalOf(await askFor('&run=run-2'))).toBe('409 job-runs-elsewhere');
    expect(table.writes()).toBe(1);
  });

  it('claims nothing for HEAD, and answers it as it would answer GET', async () => {
    await table.hold(life);
    const head = (run: string, purpose: PassPurpose = 'script') =>
      askFor(`&run=${run}`, purpose, 'HEAD');
    const response = await head('run-1');
    expect(response).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-store' } });
    expect(response.body).toBeUndefined();
    await table.hold(claimed);
    expect((await head('run-2')).statusCode).toBe(409);
    expect((await head('run-1', 'input')).statusCode).toBe(404);
    expect(table.writes()).toBe(0);
  });

  const { due_at: _, due: __, ...waitingItsTurn } = life;
  it.each([
    { what: 'waits for its turn', stored: waitingItsTurn },
    { what: 'waits for others', stored: { ...life, waiting: true } },
    { what: 'is being cancelled', stored: { ...life, cancel_pending: true } },
  ])('answers HEAD and GET with 404 for a job that $what', async ({ stored }) => {
    await table.hold(stored);
    for (const method of ['HEAD', 'GET']) {
      expect((await askFor('&run=run-1', 'script', method)).statusCode).toBe(404);
    }
    await table.hold({ ...stored, handle: 'run-1' });
    expect((await askFor('&run=run-1', 'script', 'HEAD')).statusCode).toBe(200);
  });

  it.each([
    ['&run=run-1', 'input'],
    ['&run=run-1', 'array'],
    ['&run=run-1&task=0', 'script'],
  ] as const)('takes no pass for something else: %s of %s', async (rest, purpose) => {
    await table.hold(life);
    expect(readResponse(await askFor(rest, purpose))).toEqual(jobNotFound);
    expect(table.sent()).toEqual([]);
  });

  it('finds a task by the number of its job', async () => {
    const batch = makeBatchId(new Date(0));
    const array = { name: `${batch}-0`, task: 3 };
    await table.hold({ ...jobItem(hpcOne), batch_id: batch, batch_index: 1 });
    await table.hold({ ...life, handle: 'p:0', array });
    expect((await askFor('&run=p:0&task=3', 'array')).statusCode).toBe(200);
  });

  it.each(['', '&run=', '&run=a/b', '&run=a&task=-1', '&run=a&task=100000'])(
    'answers 400 to %j',
    async (rest) => {
      expect((await askFor(rest)).statusCode).toBe(400);
      expect(table.sent()).toEqual([]);
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
    expect(table.sent()).toEqual(['GetItem']);
  });

  it('keeps what a job says of its command where it had to wait, and writes nothing else', async () => {
    await table.hold(lifeItem(hpcOne));
    await ask('results', undefined, '&bytes=5&before=4&after=4');
    expect(table.writes()).toBe(0);
    const before = Date.now();
    const { statusCode } = await ask('results', undefined, '&bytes=5&before=7&after=120');
    const { command, ...rest } = (await table.read(lifeItem(hpcOne))) ?? {};
    expect([statusCode, rest]).toEqual([307, lifeItem(hpcOne)]);
    expect(command).toMatchObject({ seconds_before: 7 });
    const { ended_at } = Object(command);
    expect(Math.abs(Date.parse(ended_at) + 120_000 - before)).toBeLessThan(60_000);
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
    expect((await ask('results', undefined, '&bytes=5000000000')).statusCode).toBe(307);
    const response = await ask('results', undefined, '&bytes=5000000001');
    expect(refusalOf(response)).toBe('413 results-too-large');
    expect(JSON.parse(response.body ?? '')).toMatchObject({ limit: 5_000_000_000 });
  });

  it.each(['', '&bytes=', '&bytes=0', '&bytes=-1', '&bytes=1.5', '&bytes=1e3', '&bytes=all'])(
    'answers 400 to %j',
    async (rest) => {
      const message =
        'It must be the number of bytes to send: a whole number from 1. A request with a body may leave it out.';
      expect(readResponse(await ask('results', undefined, rest))).toEqual(
        invalidRequest([{ location: 'query', name: 'bytes', message }]),
      );
      expect(table.sent()).toEqual([]);
    },
  );

  it.each(['-1', '1e9', '1.5', '9999999999', ''])('refuses %j seconds', async (seconds) => {
    expect((await ask('results', undefined, `&bytes=5&after=${seconds}`)).statusCode).toBe(400);
  });
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
    for (const response of [await ask('output'), await send('&stdout=0,4&stderr=0,0', 'one\n')]) {
      expect(response).toMatchObject({ statusCode: 200, body: '{"followed":false}' });
    }
    expect(table.sent()).toEqual(['GetItem', 'GetItem']);
  });

  it('says that somebody follows it, until a minute after they last asked', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    for (const [expires_at, followed] of [
      [seconds + 30, true],
      [seconds - 1, false],
    ]) {
      await table.hold({ ...follower, type: 'job-follower', schema_version: 1, expires_at });
      expect(await ask('output')).toMatchObject({ body: `{"followed":${followed}}` });
    }
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
    expect(table.sent()).toEqual([]);
  });

  it('takes nothing of a job that has ended, other than by a cancel just now', async () => {
    const ended = jobItem(hpcOne, { ended: true });
    const cancelled = (minutes: number) => {
      const end_date = new Date(Date.now() - minutes * 60_000).toISOString();
      return { ...ended, stage: 'CANCELED', end_date };
    };
    for (const job of [ended, cancelled(16)]) {
      await table.hold(job);
      const response = await send('&stdout=0,4&stderr=0,0&last=true', 'one\n');
      expect(readResponse(response)).toEqual(jobNotFound);
    }
    await table.hold(cancelled(1));
    expect((await ask('results')).statusCode).toBe(307);
  });

  it.each(['input', 'results'] as const)('has a pass that is none for the %s', async (purpose) => {
    expect(readResponse(await ask('output', writePass(purpose)))).toEqual(jobNotFound);
    expect(readResponse(await ask(purpose, writePass('output')))).toEqual(jobNotFound);
    expect(table.sent()).toEqual([]);
  });
});

describe.each(['input', 'results'] as const)('the address of the %s of a job', (purpose) => {
  const other = purpose === 'input' ? 'results' : 'input';

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
    expect(table.sent()).toEqual([]);
  });

  it('looks where its pass says, and knows no job that is not there, or has ended', async () => {
    const theirs = writePass(purpose, { account: { ...account, user: otherUser } });
    expect(readResponse(await ask(purpose, theirs))).toEqual(jobNotFound);
    await table.hold(jobItem(hpcOne, { owner: otherUser }));
    await table.hold(jobRequestItem(hpcOne, { owner: otherUser }));
    expect((await ask(purpose, theirs)).statusCode).toBe(307);
    await table.hold(jobItem(hpcOne, { ended: true }));
    expect(readResponse(await ask(purpose))).toEqual(jobNotFound);
  });

  it('takes no parameter that it does not know', async () => {
    const { rest } = routes[purpose];
    expect((await ask(purpose, undefined, `${rest}&more=1`)).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });

  it('is not in the log, and neither is the one that it leads to', async () => {
    const log = captureLog();
    const pass = writePass(purpose);
    const { headers } = await ask(purpose, pass);
    await ask(purpose, `${pass}A`);
    table.mock.on(GetCommand).rejects(new TableUnavailableError());
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

describe.each(['input', 'results'] as const)('the %s of a job with a mocked table', (purpose) => {
  it('is found by its key, consistently', async () => {
    table.mock.on(GetCommand).callsFake(({ Key }) => ({
      Item: Key.SK.startsWith('REQUEST#') ? jobRequestItem(hpcOne) : jobItem(hpcOne),
    }));
    expect((await ask(purpose)).statusCode).toBe(307);
    const { PK, SK } = jobItem(hpcOne);
    expect(sentCommands(table.mock)[0]).toMatchObject([
      'GetCommand',
      { Key: { PK, SK }, ConsistentRead: true },
    ]);
  });

  it('is not there where the job is not, and nothing is written', async () => {
    table.mock.on(GetCommand).resolves({});
    expect(readResponse(await ask(purpose))).toEqual(jobNotFound);
    expect(table.mock.commandCalls(UpdateCommand)).toEqual([]);
  });
});

describe('PUT /handover/{job_id}/send/', () => {
  const query = (file: string) => `&number=0&file=${file}&length=5&sha256=${'0'.repeat(64)}`;
  const send = (rest: string) =>
    call(takeResults, {
      method: 'PUT',
      path: `/handover/${jobId}/send/`,
      query: `pass=${writePass('send')}${rest}`,
    });

  it.each(['../a', 'a/../b', '/a', 'a//b', 'a%5Cb', 'a%0Ab', '%FF', '', 'a/'])(
    'refuses %j, which is no path of a file',
    async (file) => {
      const { body } = readResponse(await send(query(file)));
      expect(body).toMatchObject({ errors: [{ location: 'query', name: 'file' }] });
      expect(table.sent()).toEqual([]);
    },
  );

  it.each(['number', 'length', 'sha256'])('refuses another %s', async (name) => {
    const rest = query('a').replace(new RegExp(`(?<=${name}=)[^&]*`), 'x');
    const { body } = readResponse(await send(rest));
    expect(body).toMatchObject({ errors: [{ location: 'query', name }] });
  });

  it('takes no pass for anything else', async () => {
    const path = `/handover/${jobId}/send/`;
    const pass = writePass('fetch');
    const response = await call(takeResults, {
      method: 'PUT',
      path,
      query: `pass=${pass}${query('a')}`,
    });
    expect(readResponse(response)).toEqual(jobNotFound);
    expect(table.sent()).toEqual([]);
  });
});
