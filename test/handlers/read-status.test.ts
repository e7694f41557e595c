import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/status/read-status.ts';
import { TableUnavailableError } from '../../lib/table/errors.ts';
import { call } from '../fixtures/call.ts';
import { answer, pathNotFound, problem, readResponse } from '../fixtures/responses.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(GetCommand).resolves({});
});

describe('GET /status/', () => {
  it.each([
    { who: 'nobody in particular', headers: {} },
    { who: 'a caller with a bad token', headers: { authorization: 'Bearer expired' } },
  ])('answers 200 to $who: up, per system', async ({ headers }) => {
    const response = await call(handler, { path: '/status/', headers });
    expect(readResponse(response)).toEqual(
      answer(200, {
        status: 'up',
        systems: [
          { name: 'hpc_one', project_hpc: 'HPC_ONE', status: 'up' },
          { name: 'hpc_two', project_hpc: 'HPC_TWO', status: 'up' },
        ],
      }),
    );
    expect(sentCommands(table)).toEqual([
      ['GetCommand', { TableName: tableName, Key: { PK: 'COUNTER#job', SK: 'COUNTER' } }],
    ]);
  });

  it('answers 503 where the table does not answer, and shows nothing of why', async () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.1');
    table.on(GetCommand).callsFake(() => Promise.reject(new TableUnavailableError({ cause })));
    const response = await call(handler, { path: '/status' });
    expect(readResponse(response)).toEqual(
      problem({
        status: 503,
        slug: 'unavailable',
        title: 'The service is down',
        detail: 'The service cannot reach its data.',
        headers: { 'retry-after': '10' },
      }),
    );
  });

  it('answers 404 below it', async () => {
    expect(readResponse(await call(handler, { path: '/status/x/' }))).toEqual(pathNotFound);
  });
});
