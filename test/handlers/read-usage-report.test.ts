import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler as readOwn } from '#functions/reports/read-usage.ts';
import { handler } from '#functions/reports/read-usage-report.ts';
import { asAdministrator, ask, asUser, call } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, nextCursor } from '../fixtures/responses.ts';
import { hpcOne, hpcTwo, type SystemSample, user } from '../fixtures/samples.ts';
import { sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
holdClock('2026-11-15T08:30:00Z');

const none = '00000'.repeat(65);
/** Three durations of a minute and one of an hour, in their buckets. */
const durations = `${'00000'.repeat(18)}00003${'00000'.repeat(17)}00001${'00000'.repeat(28)}`;

/** The sum of a project in a month, or of a user there, or of that user on a day. */
function sumItem({ hpc, project }: SystemSample, time: string, owner?: string) {
  const place = `${owner?.padStart(32, '0')}#${owner}#${hpc}#${project}`;
  const key =
    owner === undefined
      ? { PK: `USAGE#PROJECTS#${time}`, SK: `${hpc}#${project}` }
      : time.length === 7
        ? { PK: `USAGE#USERS#${time}`, SK: place }
        : { PK: `USAGE#USER#${owner}`, SK: `${time}#${hpc}#${project}` };
  return {
    ...key,
    type: 'usage-sum',
    schema_version: 1,
    hpc,
    project_name: project,
    ...(owner !== undefined && { user: owner }),
    time,
    used: 7200,
    asked: 14_400,
    jobs: 5,
    failed: 1,
    cancelled: 1,
    waited: durations,
    ran: none,
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
const twice = {
  ...row,
  time_used: 14_400,
  jobs_ended: 10,
  jobs_failed: 2,
  jobs_cancelled: 2,
  time_asked: 28_800,
};
const one = { project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' };
const two = { project_hpc: 'HPC_TWO', project_name: 'proj_hpc_two_01' };

const get = (query = '') =>
  ask(handler, { path: '/admin/reports/usage/', query, headers: asAdministrator() });

describe('GET /admin/reports/usage/', () => {
  it('answers what was used in each project this month, from one read', async () => {
    await table.hold(sumItem(hpcOne, '2026-11'), sumItem(hpcTwo, '2026-11'));
    const rows = [one, two].map((project) => ({ ...project, ...row }));
    expect(await get()).toEqual(answer(200, rows));
    expect(table.sent()).toEqual(['Query']);
  });

  it('adds up several months, users in the order of their numbers', async () => {
    await table.hold(
      sumItem(hpcOne, '2026-09', '70'),
      sumItem(hpcOne, '2026-10', '8'),
      sumItem(hpcTwo, '2026-10', '8'),
      sumItem(hpcOne, '2026-10', '70'),
    );
    expect((await get('by=user&since=2026-09&until=2026-10')).body).toEqual([
      { user: '8', ...twice },
      { user: '70', ...twice },
    ]);
  });

  it('reads a part of a month day by day, and only of whom there is something', async () => {
    await table.hold(
      ...[hpcOne, hpcTwo].flatMap((sample) =>
        ['2026-11', '2026-11-01', '2026-11-03'].map((time) => sumItem(sample, time, user)),
      ),
    );
    const { body } = await get('by=user,day&hpc=hpc_two&since=2026-11-02&until=2026-11-04');
    expect(body).toEqual([{ user, day: '2026-11-03', ...row }]);
    expect(table.sent()).toEqual(['Query', 'Query']);
  });

  it('reads the days of one user at once', async () => {
    await table.hold(sumItem(hpcOne, '2026-11-03', user), sumItem(hpcTwo, '2026-11-04', user));
    const query = `user=${user}&by=system,month&project_name=proj_hpc_two_01`;
    expect((await get(query)).body).toEqual([{ project_hpc: 'HPC_TWO', month: '2026-11', ...row }]);
    expect(table.sent()).toEqual(['Query']);
  });

  it('leads on by a cursor that is good for this report alone', async () => {
    await table.hold(...['7', '8'].map((each) => sumItem(hpcOne, '2026-11', each)));
    const first = await get('by=user&limit=1');
    expect(first.body).toMatchObject([{ user: '7' }]);
    const cursor = nextCursor(first);
    const second = await get(`by=user&limit=1&cursor=${cursor}`);
    expect(second.body).toMatchObject([{ user: '8' }]);
    expect(second.headers).not.toHaveProperty('link');
    for (const query of ['by=project', 'by=user&hpc=hpc_one', 'by=user&since=2026-10']) {
      expect((await get(`${query}&cursor=${cursor}`)).statusCode).toBe(400);
    }
  });

  it('answers CSV to those who ask for it', async () => {
    await table.hold(sumItem(hpcOne, '2026-11'));
    const headers = { ...asAdministrator(), accept: 'text/csv, */*;q=0.1' };
    const query = 'by=month,project';
    expect(await call(handler, { path: '/admin/reports/usage/', query, headers })).toEqual({
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
    const errors = [{ location: 'query', name, message }];
    expect(await get(query)).toMatchObject({ statusCode: 400, body: { errors } });
    expect(table.sent()).toEqual([]);
  });
});

describe('GET /usage/', () => {
  const request = (query = '') => ({ path: '/usage/', query, headers: asUser() });
  const getOwn = (query = '') => ask(readOwn, request(query));

  it('answers what the caller used, and nobody else', async () => {
    await table.hold(
      ...['2026-10-14', '2026-10-31', '2026-11-01'].map((day) => sumItem(hpcOne, day, user)),
      sumItem(hpcTwo, '2026-11-01', user),
      sumItem(hpcOne, '2026-11-01', '7'),
    );
    expect(await getOwn('since=2026-10-15&by=day')).toEqual(
      answer(200, [
        { day: '2026-10-31', ...row },
        { day: '2026-11-01', ...twice },
      ]),
    );
  });

  it('answers an empty array, or a line of names, where nothing has ended', async () => {
    expect(await getOwn()).toEqual(answer(200, []));
    const headers = { ...asUser(), accept: 'text/csv' };
    const { body } = await call(readOwn, { ...request('by=system'), headers });
    expect(body).toMatch(/^project_hpc,time_used,[a-z0-9_,]+\r\n$/);
  });

  it.each(['by=user', 'user=1', 'limit=1', 'hpc=hpc_one'])('answers 400 to %s', async (query) => {
    expect((await getOwn(query)).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });

  it('is one query, of a month or of the days of the caller: on a mocked table', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [] });
    await get();
    await getOwn();
    const days = { ':PK': `USAGE#USER#${user}`, ':from': '2026-11-01', ':to': '2026-11-30$' };
    expect(sentCommands(table.mock)).toMatchObject([
      ['QueryCommand', { ExpressionAttributeValues: { ':month': 'USAGE#PROJECTS#2026-11' } }],
      ['QueryCommand', { ExpressionAttributeValues: days }],
    ]);
  });
});
