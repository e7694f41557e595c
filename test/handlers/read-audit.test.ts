import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/admin/read-audit.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { answer, readResponse } from '../fixtures/responses.ts';
import { administrator, user } from '../fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-02-15T08:30:00Z'), toFake: ['Date'] });
  table.reset();
  table.on(QueryCommand).resolves({ Items: [] });
});
afterEach(() => vi.useRealTimers());

function actItem(id: string, at: string, more: Record<string, unknown> = {}) {
  return {
    PK: `AUDIT#${at.slice(0, 7)}`,
    SK: `${at}#${id}`,
    type: 'act',
    schema_version: 1,
    act_id: id,
    kind: 'quota-granted',
    at,
    by: administrator,
    reason: 'a course',
    user,
    details: { time: { before: 0, after: 60 } },
    ...more,
  };
}

const inProject = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', job_id: 'a-job' };

function get(query = '', path = '/admin/audit/') {
  return call(handler, { path, query, headers: asAdministrator() });
}

const monthQuery = (month: string, place: string, more: Record<string, unknown> = {}) => [
  'QueryCommand',
  {
    TableName: tableName,
    KeyConditionExpression: 'PK = :month AND SK < :place',
    ExpressionAttributeValues: { ':month': `AUDIT#${month}`, ':place': place },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 101,
    ...more,
  },
];

describe('GET /admin/audit/', () => {
  it('answers what administrators did, newest first, from one month and the one before', async () => {
    table
      .on(QueryCommand)
      .resolvesOnce({ Items: [actItem('b', '2026-02-03T08:30:00.500Z', inProject)] })
      .resolvesOnce({ Items: [actItem('a', '2026-01-31T23:59:59.000Z')] });
    const told = {
      kind: 'quota-granted',
      by: administrator,
      reason: 'a course',
      user,
      details: { time: { before: 0, after: 60 } },
    };
    expect(readResponse(await get())).toEqual(
      answer(200, [
        {
          act_id: 'b',
          at: '2026-02-03T08:30:00Z',
          ...told,
          project_hpc: 'HPC_ONE',
          project_name: 'proj_hpc_one_01',
          job_id: 'a-job',
        },
        {
          act_id: 'a',
          at: '2026-01-31T23:59:59Z',
          ...told,
          project_hpc: null,
          project_name: null,
          job_id: null,
        },
      ]),
    );
    expect(sentCommands(table)).toEqual([
      monthQuery('2026-02', '2026-02-15T08:31:00.000Z$'),
      monthQuery('2026-01', '2026-01~', { Limit: 100 }),
    ]);
  });

  it('answers an empty array where nothing was done, also without the slash', async () => {
    expect(readResponse(await get('', '/admin/audit'))).toEqual(answer(200, []));
  });

  it('looks only at what is asked for', async () => {
    await get('since=2026-02-01&until=2026-02-10&by=100001&user=306328&kind=user-banned');
    expect(sentCommands(table)).toEqual([
      monthQuery('2026-02', '2026-02-10T23:59:59.999Z$', {
        ExpressionAttributeValues: {
          ':month': 'AUDIT#2026-02',
          ':place': '2026-02-10T23:59:59.999Z$',
          ':by': '100001',
          ':user': '306328',
          ':kind': 'user-banned',
        },
        FilterExpression: '#by = :by AND #user = :user AND #kind = :kind',
        ExpressionAttributeNames: { '#by': 'by', '#user': 'user', '#kind': 'kind' },
        Limit: 500,
      }),
    ]);
  });

  it('takes the name of the service for who did something', async () => {
    expect((await get('since=2026-02-01&by=slipway')).statusCode).toBe(200);
    expect(sentCommands(table)).toMatchObject([
      ['QueryCommand', { ExpressionAttributeValues: { ':by': 'slipway' } }],
    ]);
  });

  it('leads on by a cursor that is good for this list alone', async () => {
    const newest = actItem('b', '2026-02-03T08:30:00.500Z');
    table.on(QueryCommand).resolves({ Items: [newest, actItem('a', '2026-02-02T08:30:00.000Z')] });
    const first = await get('limit=1');
    const [, cursor = ''] = /[?&]cursor=([^>&]+)>; rel="next"/.exec(`${first.headers?.link}`) ?? [];
    table.resetHistory();
    table.on(QueryCommand).resolves({ Items: [] });
    expect((await get(`limit=1&cursor=${cursor}`)).statusCode).toBe(200);
    expect(sentCommands(table)[0]).toEqual(monthQuery('2026-02', newest.SK, { Limit: 2 }));
    for (const query of ['user=1', 'by=slipway', 'kind=user-banned', 'since=2026-02-01']) {
      expect((await get(`${query}&cursor=${cursor}`)).statusCode).toBe(400);
    }
    expect((await get('cursor=x')).statusCode).toBe(400);
  });

  it.each([
    'limit=0',
    'limit=101',
    'by=alice',
    'user=slipway',
    'kind=x',
    'since=soon',
    'order=asc',
  ])('answers 400 to %s, and reads nothing', async (query) => {
    expect((await get(query)).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });
});
