import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/status/read-status.ts';
import { TableBusyError, TableUnavailableError } from '#lib/table/errors.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { call } from '../fixtures/call.ts';
import { answer, pathNotFound, problem, readResponse } from '../fixtures/responses.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const health = (hpc: string, healthy: boolean, checkedAt: string) => ({
  PK: `SYSTEM#${hpc}`,
  SK: 'HEALTH',
  hpc,
  healthy,
  checked_at: checkedAt,
});

function seen(...items: object[]) {
  table.on(BatchGetCommand).resolves({ Responses: { [tableName]: items } });
}

beforeEach(() => {
  table.reset();
  seen();
});

describe('GET /status/', () => {
  it.each([
    { who: 'nobody in particular', headers: {} },
    { who: 'a caller with a bad token', headers: { authorization: 'Bearer expired' } },
  ])('answers 200 to $who: up, per system', async ({ headers }) => {
    seen(health('hpc_two', false, ago(10)), health('hpc_one', true, ago(170)));
    const response = await call(handler, { path: '/status/', headers });
    expect(readResponse(response)).toEqual(
      answer(200, {
        status: 'up',
        version: packageFile.version,
        systems: [
          { name: 'hpc_one', project_hpc: 'HPC_ONE', status: 'up' },
          { name: 'hpc_two', project_hpc: 'HPC_TWO', status: 'down' },
        ],
      }),
    );
    expect(sentCommands(table)).toEqual([
      [
        'BatchGetCommand',
        {
          RequestItems: {
            [tableName]: {
              Keys: [
                { PK: 'SYSTEM#hpc_one', SK: 'HEALTH' },
                { PK: 'SYSTEM#hpc_one', SK: 'BREAKER' },
                { PK: 'SYSTEM#hpc_two', SK: 'HEALTH' },
                { PK: 'SYSTEM#hpc_two', SK: 'BREAKER' },
              ],
              ConsistentRead: false,
            },
          },
        },
      ],
    ]);
  });

  it.each([
    { until: -30, status: 'down', when: 'while its breaker is open' },
    { until: 1, status: 'up', when: 'by its health once the pause is over' },
  ])('shows a system $when as $status', async ({ until, status }) => {
    const breaker = {
      PK: 'SYSTEM#hpc_one',
      SK: 'BREAKER',
      type: 'system-breaker',
      hpc: 'hpc_one',
      failures: 5,
      pause_seconds: 30,
      open_until: ago(until),
    };
    seen(breaker, health('hpc_one', true, ago(10)));
    expect(readResponse(await call(handler, { path: '/status/' }))).toMatchObject({
      body: { systems: [{ name: 'hpc_one', status }, { status: 'unknown' }] },
    });
  });

  it('says that nothing is known of a system that nobody has looked at for a while', async () => {
    seen(health('hpc_one', true, ago(190)));
    expect(readResponse(await call(handler, { path: '/status/' }))).toMatchObject({
      body: { systems: [{ status: 'unknown' }, { status: 'unknown' }] },
    });
  });

  it.each([
    new TableUnavailableError({ cause: new Error('connect ECONNREFUSED 10.0.0.1') }),
    new TableBusyError(),
    new Error('AccessDeniedException'),
  ])('answers 503 where the table does not answer, and shows nothing of why: %s', async (error) => {
    table.on(BatchGetCommand).callsFake(() => Promise.reject(error));
    const response = await call(handler, { path: '/status' });
    expect(readResponse(response)).toEqual(
      problem({
        status: 503,
        slug: 'unavailable',
        title: 'The service is down',
        detail: 'The service cannot reach its database. Try again later.',
        headers: { 'retry-after': '10' },
      }),
    );
  });

  it('answers 404 below it', async () => {
    expect(readResponse(await call(handler, { path: '/status/x/' }))).toEqual(pathNotFound);
  });
});
