import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/read-audit.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, nextCursor } from '../fixtures/responses.ts';
import { administrator, user } from '../fixtures/samples.ts';
import { sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
holdClock('2026-02-15T08:30:00Z');

const told = {
  kind: 'quota-granted',
  by: administrator,
  reason: 'a course',
  user,
  details: { time: { before: 0, after: 60 } },
};

function actItem(id: string, at: string, more: object = {}) {
  const key = { PK: `AUDIT#${at.slice(0, 7)}`, SK: `${at}#${id}` };
  return { ...key, type: 'act', schema_version: 1, act_id: id, at, ...told, ...more };
}

const inProject = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', job_id: 'a-job' };
const newer = actItem('b', '2026-02-03T08:30:00.500Z', inProject);
const older = actItem('a', '2026-01-31T23:59:59.000Z');

const get = (query = '', path = '/admin/audit/') =>
  ask(handler, { path, query, headers: asAdministrator() });

/** The acts that are answered, by their ids. */
const idsOf = async (query: string) =>
  Array.from(Object((await get(query)).body), (act) => Object(act).act_id);

describe('GET /admin/audit/', () => {
  it('answers what administrators did, newest first, from one month and the one before', async () => {
    await table.hold(older, newer);
    const nowhere = { project_hpc: null, project_name: null, job_id: null };
    const { hpc: _, ...shown } = { ...inProject, project_hpc: 'HPC_ONE' };
    expect(await get()).toEqual(
      answer(200, [
        { act_id: 'b', at: '2026-02-03T08:30:00Z', ...told, ...shown },
        { act_id: 'a', at: '2026-01-31T23:59:59Z', ...told, ...nowhere },
      ]),
    );
    expect(table.sent()).toEqual(['Query', 'Query']);
  });

  it('answers an empty array where nothing was done, also without the slash', async () => {
    expect(await get('', '/admin/audit')).toEqual(answer(200, []));
  });

  describe('with a filter', () => {
    beforeEach(() =>
      table.hold(
        newer,
        older,
        actItem('c', '2026-02-10T23:59:59.999Z', { kind: 'user-banned', user: '7' }),
        actItem('d', '2026-02-11T00:00:00.000Z', { by: 'slipway' }),
      ),
    );

    it.each([
      ['since=2026-02-01&until=2026-02-10', ['c', 'b']],
      ['since=2026-02-01&user=306328', ['d', 'b']],
      ['kind=user-banned', ['c']],
      ['by=slipway', ['d']],
      ['by=100001&user=7&kind=user-banned', ['c']],
    ])('answers to %s what is asked for', async (query, ids) => {
      expect(await idsOf(query)).toEqual(ids);
    });
  });

  it('leads on by a cursor that is good for this list alone', async () => {
    await table.hold(newer, older);
    const first = await get('limit=1');
    expect(first.body).toMatchObject([{ act_id: 'b' }]);
    const cursor = nextCursor(first);
    expect(await idsOf(`limit=1&cursor=${cursor}`)).toEqual(['a']);
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
    expect(table.sent()).toEqual([]);
  });

  it('reads a month by one query: on a mocked table', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [newer] });
    expect((await get('since=2026-02-01')).body).toMatchObject([{ act_id: 'b' }]);
    const values = { ':month': 'AUDIT#2026-02', ':place': '2026-02-15T08:31:00.000Z$' };
    const input = { ExpressionAttributeValues: values, ConsistentRead: true, Limit: 101 };
    expect(sentCommands(table.mock)).toMatchObject([['QueryCommand', input]]);
  });
});
