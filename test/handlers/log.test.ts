import { QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { anyHandler } from '../fixtures/any-handler.ts';
import { asUser, call } from '../fixtures/call.ts';
import { captureLog } from '../fixtures/captured-log.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { internalError, readResponse } from '../fixtures/responses.ts';
import { hpcOne, jobItem, user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { submission } from '../fixtures/submissions.ts';

const table = useTable();
mockStorage();

const secrets = { command: 'cat SECRET-COMMAND', title: 'SECRET-TITLE' };
const secretSubmission = () => submission(hpcOne, { payload: { ...hpcOne.payload, ...secrets } });

/** Nothing of what only the caller may know. */
function expectNoSecrets(log: readonly string[], token: string) {
  const [, claims = '', signature = ''] = token.split('.');
  expect(claims).not.toBe('');
  for (const secret of ['SECRET', 'Bearer', 'bearer', claims, signature]) {
    expect(log.join('\n')).not.toContain(secret);
  }
}

describe('a request that is answered', () => {
  it('is one line of the log: what was asked, the answer, how long, who', async () => {
    const log = captureLog();
    const before = performance.now();
    await call(anyHandler, { path: '/jobs/', query: 'title=SECRET', headers: asUser() });
    const took = performance.now() - before;
    expect(log.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'INFO',
        message: 'request',
        timestamp: expect.any(String),
        service: 'slipway',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        sampling_rate: 0,
        requestId: 'request-1',
        method: 'GET',
        path: '/jobs/',
        status: 200,
        ms: expect.any(Number),
        user,
      },
    ]);
    const { ms } = JSON.parse(log[0] ?? '');
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThanOrEqual(Math.ceil(took));
  });

  it('is logged without the token and without the payload', async () => {
    const log = captureLog();
    const request = secretSubmission();
    const response = await call(anyHandler, request);
    expect(response.statusCode).toBe(201);
    expect(log).toHaveLength(1);
    expectNoSecrets(log, request.headers?.authorization ?? '');
  });
});

describe('a request that is refused', () => {
  it.each([
    {
      status: 401,
      request: () => ({ path: '/jobs/', headers: { authorization: 'Bearer a.b.c' } }),
    },
    { status: 404, request: () => ({ path: '/nothing/' }) },
    { status: 400, request: () => submission(hpcOne, { payload: '{"SECRET": 1}' }) },
  ])('with $status is one line and no failure', async ({ status, request }) => {
    const log = captureLog();
    await call(anyHandler, request());
    expect(log.map((line) => JSON.parse(line))).toMatchObject([{ level: 'INFO', status }]);
    expect(log[0]).not.toContain('SECRET');
  });
});

describe('a failure of the table', () => {
  const failure = Object.assign(new Error('User: arn:aws:sts::123:role is not authorized'), {
    name: 'AccessDeniedException',
    $metadata: { httpStatusCode: 400, requestId: 'DYNAMO-REQUEST' },
  });

  it('is logged with its name, its message and the request', async () => {
    const log = captureLog();
    table.mock.on(QueryCommand).rejects(failure);
    await call(anyHandler, { path: '/jobs/', headers: asUser() });
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'ERROR',
        message: 'request failed',
        service: 'slipway',
        requestId: 'request-1',
        error: { name: 'AccessDeniedException', message: failure.message },
      },
      { level: 'INFO', message: 'request', status: 500, user },
    ]);
  });

  it.each([
    { step: 'the number', fail: () => table.mock.on(UpdateCommand).rejects(failure) },
    { step: 'the transaction', fail: () => table.mock.on(TransactWriteCommand).rejects(failure) },
  ])('at $step is logged without the token and without the payload', async ({ fail }) => {
    const log = captureLog();
    fail();
    const request = secretSubmission();
    const response = await call(anyHandler, request);
    expect(readResponse(response)).toEqual(internalError);
    expect(log).toHaveLength(2);
    expectNoSecrets(log, request.headers?.authorization ?? '');
  });

  it('that is a damaged item shows and logs nothing of what the item holds', async () => {
    const log = captureLog();
    await table.hold({ ...jobItem(hpcOne, { title: 'SECRET-TITLE' }), schema_version: 2 });
    const path = `/jobs/hpc_one/proj_hpc_one_01/${hpcOne.jobId}/`;
    const response = await call(anyHandler, { path, headers: asUser() });
    expect(readResponse(response)).toEqual(internalError);
    expect(log).toHaveLength(2);
    expect(JSON.parse(log[0] ?? '')).toMatchObject({
      level: 'ERROR',
      requestId: 'request-1',
      error: { name: 'DamagedItemError' },
    });
    expect(log[0]).not.toContain('SECRET-TITLE');
  });
});
