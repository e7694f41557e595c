import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as readOwn } from '#functions/reports/read-usage.ts';
import { handler } from '#functions/reports/read-usage-report.ts';
import { asAdministrator, asUser, call } from '../fixtures/call.ts';
import { answer, readResponse } from '../fixtures/responses.ts';
import { hpcOne, hpcTwo, type SystemSample, user } from '../fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-15T08:30:00Z'), toFake: ['Date'] });
  table.reset();
  table.on(QueryCommand).resolves({ Items: [] });
});
afterEach(() => vi.useRealTimers());

const none = '00000'.repeat(65);
/** Three durations of a minute and one of an hour, in their buckets. */
const durations = `${'00000'.repeat(18)}00003${'00000'.repeat(17)}00001${'00000'.repeat(28)}`;

function sumItem({ hpc, project }: SystemSample, time: string, change: object = {}) {
  return {
    type: 'usage-sum',
    schema_version: 1,
    hpc,
    project_name: project,
    time,
    used: 7200,
    asked: 14_400,
    jobs: 5,
    failed: 1,
    cancelled: 1,
    waited: durations,
    ran: none,
    ...change,
  };
}

const row = {
  time_used: 7200,
  jobs_ended: 5,
  jobs_failed: 1,
  jobs_cancelled: 1,
  queue_time_median: 56,
  queue_time_p95: 3548,
  run_time_median: null,
  run_time_p95: null,
  time_asked: 14_400,
};

const one = { project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' };
const two = { project_hpc: 'HPC_TWO', project_name: 'proj_hpc_two_01' };

function get(query = '', headers = {}) {
  const request = { path: '/admin/reports/usage/', query };
  return call(handler, { ...request, headers: { ...asAdministrator(), ...headers } });
}

const monthQuery = (partition: string, more: object = {}) => [
  'QueryCommand',
  {
    TableName: tableName,
    KeyConditionExpression: 'PK = :month',
    ExpressionAttributeValues: { ':month': partition },
    ConsistentRead: true,
    Limit: 101,
    ...more,
  },
];

const dayQuery = (partition: string, since: string, until: string) => [
  'QueryCommand',
  {
    TableName: tableName,
    KeyConditionExpression: 'PK = :days AND SK BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':days': partition, ':from': since, ':to': `${until}$` },
    ConsistentRead: true,
  },
];

describe('GET /admin/reports/usage/', () => {
  it('answers what was used in each project this month, from one read', async () => {
    table.on(QueryCommand).resolves({
      Items: [sumItem(hpcOne, '2026-11'), sumItem(hpcTwo, '2026-11')],
    });
    expect(readResponse(await get())).toEqual(
      answer(200, [
        { ...one, ...row },
        { ...two, ...row },
      ]),
    );
    expect(sentCommands(table)).toEqual([monthQuery('USAGE#PROJECTS#2026-11')]);
  });

  it('adds up several months, users in the order of their numbers', async () => {
    const months: Record<string, object[]> = {
      'USAGE#USERS#2026-09': [sumItem(hpcOne, '2026-09', { user: '70' })],
      'USAGE#USERS#2026-10': [
        sumItem(hpcOne, '2026-10', { user: '8' }),
        sumItem(hpcTwo, '2026-10', { user: '8' }),
        sumItem(hpcOne, '2026-10', { user: '70' }),
      ],
    };
    table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => ({
      Items: months[values[':month']],
    }));
    const body = JSON.parse((await get('by=user&since=2026-09&until=2026-10')).body ?? '');
    const counts = { jobs_ended: 10, jobs_failed: 2, jobs_cancelled: 2 };
    const twice = { ...row, time_used: 14_400, time_asked: 28_800, ...counts };
    expect(body).toEqual([
      { user: '8', ...twice },
      { user: '70', ...twice },
    ]);
  });

  it('reads a part of a month day by day, and only of whom there is something', async () => {
    table
      .on(QueryCommand)
      .resolvesOnce({
        Items: [sumItem(hpcOne, '2026-11', { user }), sumItem(hpcTwo, '2026-11', { user })],
      })
      .resolvesOnce({
        Items: [sumItem(hpcOne, '2026-11-03', { user }), sumItem(hpcTwo, '2026-11-03', { user })],
      });
    const body = JSON.parse(
      (await get('by=user,day&hpc=hpc_two&since=2026-11-02&until=2026-11-04')).body ?? '',
    );
    expect(body).toEqual([{ user, day: '2026-11-03', ...row }]);
    expect(sentCommands(table)).toEqual([
      monthQuery('USAGE#USERS#2026-11'),
      dayQuery(`USAGE#USER#${user}`, '2026-11-02', '2026-11-04'),
    ]);
  });

  it('reads the days of one user at once', async () => {
    const Items = [
      sumItem(hpcOne, '2026-11-03', { user }),
      sumItem(hpcTwo, '2026-11-04', { user }),
    ];
    table.on(QueryCommand).resolves({ Items });
    const query = `user=${user}&by=system,month&project_name=proj_hpc_two_01`;
    const body = JSON.parse((await get(query)).body ?? '');
    expect(body).toEqual([{ project_hpc: 'HPC_TWO', month: '2026-11', ...row }]);
    expect(sentCommands(table)).toEqual([
      dayQuery(`USAGE#USER#${user}`, '2026-11-01', '2026-11-30'),
    ]);
  });

  it('leads on by a cursor that is good for this report alone', async () => {
    const Items = ['7', '8'].map((each) => sumItem(hpcOne, '2026-11', { user: each }));
    table.on(QueryCommand).resolves({ Items });
    const first = await get('by=user&limit=1');
    expect(JSON.parse(first.body ?? '')).toMatchObject([{ user: '7' }]);
    const [, cursor = ''] = /[?&]cursor=([^>&]+)>; rel="next"/.exec(`${first.headers?.link}`) ?? [];
    table.resetHistory();
    table.on(QueryCommand).resolves({ Items: Items.slice(1) });
    const second = await get(`by=user&limit=1&cursor=${cursor}`);
    expect(JSON.parse(second.body ?? '')).toMatchObject([{ user: '8' }]);
    expect(second.headers).not.toHaveProperty('link');
    expect(sentCommands(table)).toEqual([
      monthQuery('USAGE#USERS#2026-11', {
        KeyConditionExpression: 'PK = :month AND SK > :after',
        ExpressionAttributeValues: {
          ':month': 'USAGE#USERS#2026-11',
          ':after': `${'7'.padStart(32, '0')}#7$`,
        },
        Limit: 2,
      }),
    ]);
    for (const query of ['by=project', 'by=user&hpc=hpc_one', 'by=user&since=2026-10']) {
      expect((await get(`${query}&cursor=${cursor}`)).statusCode).toBe(400);
    }
  });

  it('answers CSV to those who ask for it', async () => {
    table.on(QueryCommand).resolves({ Items: [sumItem(hpcOne, '2026-11')] });
    const response = await get('by=month,project', { accept: 'text/csv, */*;q=0.1' });
    expect(response).toEqual({
      statusCode: 200,
      headers: expect.objectContaining({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename=usage.csv',
        'cache-control': 'no-store',
      }),
      body:
        'project_hpc,project_name,month,time_used,jobs_ended,jobs_failed,jobs_cancelled,' +
        'queue_time_median,queue_time_p95,run_time_median,run_time_p95,time_asked\r\n' +
        'HPC_ONE,proj_hpc_one_01,2026-11,7200,5,1,1,56,3548,,,14400\r\n',
    });
  });

  it.each([
    ['by=title', 'by', 'It must be one or two of user, project, system, day, month.'],
    ['by=', 'by', 'It must be one or two of user, project, system, day, month.'],
    ['by=day,month', 'by', expect.stringContaining('do not go together')],
    ['by=user,project,day', 'by', expect.stringContaining('do not go together')],
    ['by=user,user', 'by', expect.stringContaining('do not go together')],
    ['since=2026-02-30', 'since', 'It must be a day (2026-01-31) or a month (2026-01).'],
    ['until=2026-13', 'until', 'It must be a day (2026-01-31) or a month (2026-01).'],
    ['since=2026-11-01T00:00:00Z', 'since', 'It must be a day (2026-01-31) or a month (2026-01).'],
    ['since=2026-12', 'since', 'It must not be after the end of the period.'],
    ['since=2025-11-29&until=2026-11-30', 'since', 'The period must have at most 366 days.'],
    ['hpc=HPC_ONE', 'hpc', 'Unknown system. Known systems: hpc_one, hpc_two.'],
    ['project_name=a%23b', 'project_name', 'It must be the name of a project.'],
    ['user=alice', 'user', 'It must be the number of a user, without leading zeros.'],
    ['user=07199', 'user', 'It must be the number of a user, without leading zeros.'],
    ['limit=1001', 'limit', 'It must be at most 1000.'],
  ])('answers 400 to %s, and reads nothing', async (query, name, message) => {
    const response = await get(query);
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(response.body ?? '').errors).toEqual([{ location: 'query', name, message }]);
    expect(sentCommands(table)).toEqual([]);
  });
});

describe('GET /usage/', () => {
  const getOwn = (query = '', headers = {}) =>
    call(readOwn, { path: '/usage/', query, headers: { ...asUser(), ...headers } });

  it('answers what the caller used, and nobody else', async () => {
    const Items = [
      sumItem(hpcOne, '2026-10-31', { user }),
      sumItem(hpcOne, '2026-11-01', { user }),
      sumItem(hpcTwo, '2026-11-01', { user }),
    ];
    table.on(QueryCommand).resolves({ Items });
    expect(readResponse(await getOwn('since=2026-10-15&by=day'))).toMatchObject(
      answer(200, [
        { day: '2026-10-31', ...row },
        { day: '2026-11-01', time_used: 14_400, jobs_ended: 10 },
      ]),
    );
    expect(sentCommands(table)).toEqual([
      dayQuery(`USAGE#USER#${user}`, '2026-10-15', '2026-11-30'),
    ]);
  });

  it('answers an empty array, or a line of names, where nothing has ended', async () => {
    expect(readResponse(await getOwn())).toEqual(answer(200, []));
    const { body } = await getOwn('by=system', { accept: 'text/csv' });
    expect(body).toMatch(/^project_hpc,time_used,[a-z0-9_,]+\r\n$/);
  });

  it.each(['by=user', 'user=1', 'limit=1', 'hpc=hpc_one'])('answers 400 to %s', async (query) => {
    expect((await getOwn(query)).statusCode).toBe(400);
  });
});
