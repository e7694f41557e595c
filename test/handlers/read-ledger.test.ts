import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/quotas/read-quotas.ts';
import { asUser, call } from '../fixtures/call.ts';
import { holdLedger, ledgerItem, ledgerOfOne } from '../fixtures/ledgers.ts';
import { profileItem } from '../fixtures/profiles.ts';
import {
  answer,
  invalidRequest,
  problem,
  quotaNotFound,
  readResponse,
} from '../fixtures/responses.ts';
import { hpcOne, otherUser, quotaItem, submittedAt, user } from '../fixtures/samples.ts';
import { mockTable, quotaRead, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();
const path = '/quotas/hpc_one/proj_hpc_one_01/ledger/';
const jobId = hpcOne.jobId;

const { lines, grant, hold } = ledgerOfOne;
const account = quotaItem(hpcOne, { timeLeft: 17_900_000, spaceLeft: 9_999_999 });

const bodies = [
  {
    at: '2019-02-10T10:00:00.000Z',
    kind: 'correction',
    time: -88_480,
    space: 0,
    time_left: 17_900_000,
    space_left: 9_999_999,
    by: '100001',
    reason: 'granted by mistake',
    job_id: null,
    act_id: 'act-1',
  },
  {
    at: '2019-02-09T09:36:00.000Z',
    kind: 'settle',
    time: 2880,
    space: 0,
    time_left: 17_988_480,
    space_left: 9_999_999,
    by: 'slipway',
    reason: 'SUCCESSFUL: 11520 of 14400 seconds used',
    job_id: jobId,
    act_id: null,
    settled: { outcome: 'succeeded', used: 11_520, held: 14_400, excused: 7 },
  },
  {
    at: '2019-02-09T08:00:00.000Z',
    kind: 'hold',
    time: -14_400,
    space: -1,
    time_left: 17_985_600,
    space_left: 9_999_999,
    by: user,
    reason: 'job submitted',
    job_id: jobId,
    act_id: null,
  },
  {
    at: '2019-02-08T08:00:00.000Z',
    kind: 'grant',
    time: 18_000_000,
    space: 10_000_000,
    time_left: 18_000_000,
    space_left: 10_000_000,
    by: 'slipway',
    reason: 'first contact',
    job_id: null,
    act_id: null,
  },
];

beforeEach(() => {
  table.reset();
  table.on(GetCommand).resolves({ Item: account });
  holdLedger(table, lines);
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

function get(query = '', where = path, headers = asUser()) {
  return call(handler, { path: where, query, headers });
}

/** The query of the address that a Link names. */
function nextQuery(link: unknown): string {
  const [, address = ''] = /^<(https:\/\/[^>]+)>; rel="next"$/.exec(String(link)) ?? [];
  return new URL(address).searchParams.toString();
}

const badCursor = invalidRequest([
  { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
]);

describe('GET /quotas/{hpc}/{project_name}/ledger/', () => {
  it('answers every line, the newest first, with what was left after it', async () => {
    expect(readResponse(await get())).toEqual(answer(200, bodies));
    expect(readResponse(await get('', path.slice(0, -1)))).toEqual(answer(200, bodies));
  });

  it('reads the account before and after the lines', async () => {
    await get();
    const query = {
      TableName: tableName,
      KeyConditionExpression: 'PK = :ledger AND SK BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':ledger': grant.PK, ':from': '0', ':to': ':' },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 101,
    };
    expect(sentCommands(table)).toEqual([
      quotaRead(hpcOne),
      ['QueryCommand', query],
      quotaRead(hpcOne),
    ]);
  });

  it('writes space as a float and time as an integer, as a quota does', async () => {
    const { body } = await get('limit=1');
    expect(body).toContain(
      '"time":-88480,"space":0.0,"time_left":17900000,"space_left":9999999.0,',
    );
  });

  it('carries the balance over the pages, whatever their size', async () => {
    for (const limit of [1, 2, 3]) {
      const seen: unknown[] = [];
      let query = `limit=${limit}`;
      for (let pages = 0; query !== '' && pages < 5; pages += 1) {
        const response = await get(query);
        seen.push(...JSON.parse(response.body ?? ''));
        const { link } = response.headers ?? {};
        query = link === undefined ? '' : nextQuery(link);
      }
      expect(seen).toEqual(bodies);
    }
  });

  it('leads on by Link, and not from a page that ends the ledger', async () => {
    const first = await get('limit=3');
    expect(first.headers?.link).toMatch(
      /^<https:\/\/slipway\.test\/quotas\/hpc_one\/proj_hpc_one_01\/ledger\/\?limit=3&cursor=[\w-]+\.[\w-]{22}>; rel="next"$/,
    );
    expect((await get('limit=4')).headers?.link).toBeUndefined();
    expect((await get(nextQuery(first.headers?.link))).headers?.link).toBeUndefined();
  });

  it('does not read the account again for a later page', async () => {
    const first = await get('limit=3');
    table.resetHistory();
    await get(nextQuery(first.headers?.link));
    expect(sentCommands(table).map(([name]) => name)).toEqual(['QueryCommand']);
  });

  it('reads on where the table answers in parts', async () => {
    holdLedger(table, lines, 1);
    expect(readResponse(await get('limit=3')).body).toEqual(bodies.slice(0, 3));
  });

  it('takes a cursor for its own list alone', async () => {
    const cursor = new URLSearchParams(nextQuery((await get('limit=1')).headers?.link));
    const query = `cursor=${cursor.get('cursor')}`;
    const others = [
      get(`${query}&since=2019-02-08`),
      get(`${query}&until=2019-02-11`),
      get(query, '/quotas/hpc_two/proj_hpc_two_01/ledger/'),
      get(query, path, asUser(otherUser)),
      get('cursor=28.AAAAAAAAAAAAAAAAAAAAAA'),
    ];
    for (const response of await Promise.all(others)) {
      expect(readResponse(response)).toEqual(badCursor);
    }
  });

  it('takes since and until, both included, and works the balance out from the lines after', async () => {
    const since = await get('since=2019-02-09T09:36:00.000Z');
    expect(readResponse(since).body).toEqual(bodies.slice(0, 2));
    const until = await get('until=2019-02-09T09:36:00.000Z');
    expect(readResponse(until).body).toEqual(bodies.slice(1));
    const day = await get('since=2019-02-09&until=2019-02-09&limit=1');
    expect(readResponse(day).body).toEqual(bodies.slice(1, 2));
    const next = await get(nextQuery(day.headers?.link));
    expect(readResponse(next)).toEqual(answer(200, bodies.slice(2, 3)));
  });

  it('answers an empty array to a period without lines, also one that ends before it begins', async () => {
    expect(readResponse(await get('since=2020-01-01'))).toEqual(answer(200, []));
    expect(readResponse(await get('since=2019-02-10&until=2019-02-08'))).toEqual(answer(200, []));
  });

  it('answers 400 where more than 20,000 lines came after the period', async () => {
    const item = (index: number) => ({
      ...hold,
      SK: `2019-02-09T08:00:00.001Z#${String(index).padStart(5, '0')}`,
    });
    const many = Array.from({ length: 20_001 }, (_, index) => item(index));
    const query = 'until=2019-02-09T08:00:00Z';
    holdLedger(table, [grant, ...many.slice(1)], 4000);
    expect((await get(query)).statusCode).toBe(200);
    holdLedger(table, [grant, ...many], 4000);
    expect(readResponse(await get(query))).toEqual(
      invalidRequest([
        {
          location: 'query',
          name: 'until',
          message:
            'More than 20000 lines are newer than this. Choose a later time, or follow the pages.',
        },
      ]),
    );
  });

  it('reads again where the account has changed meanwhile', async () => {
    table
      .on(GetCommand)
      .resolvesOnce({ Item: quotaItem(hpcOne) })
      .resolves({ Item: account });
    expect(readResponse(await get())).toEqual(answer(200, bodies));
    expect(table.commandCalls(QueryCommand)).toHaveLength(2);
  });

  it('answers 503 where it changes again and again', async () => {
    let timeLeft = 0;
    table.on(GetCommand).callsFake(() => {
      timeLeft += 1;
      return { Item: quotaItem(hpcOne, { timeLeft }) };
    });
    expect(readResponse(await get())).toEqual(
      problem({
        status: 503,
        slug: 'busy',
        title: 'Too many changes at once',
        detail: 'Too many changes to the same account at once. Try again in a moment.',
        headers: { 'retry-after': '1' },
      }),
    );
    expect(table.commandCalls(QueryCommand)).toHaveLength(8);
  });

  it('shows the ledger of an account that was removed, with nothing left', async () => {
    table.on(GetCommand).resolves({});
    const removal = ledgerItem(hpcOne, {
      at: '2019-02-10T11:00:00.000Z',
      kind: 'correction',
      seconds: -17_900_000,
      kilobytes: -9_999_999,
      act_id: 'act-2',
    });
    holdLedger(table, [...lines, removal]);
    const { body } = readResponse(await get());
    expect(body).toMatchObject([{ time_left: 0, space_left: 0 }, ...bodies]);
  });
});

describe('GET .../ledger/ of somebody who has none', () => {
  it('welcomes a new user, and shows the grant', async () => {
    let welcome = false;
    table
      .on(GetCommand)
      .callsFake(({ Key }) => (welcome && Key.SK !== 'PROFILE' ? { Item: quotaItem(hpcOne) } : {}));
    table.on(UpdateCommand).resolves({ Attributes: { value: 12 } });
    holdLedger(table, []);
    table.on(TransactWriteCommand).callsFake(() => {
      welcome = true;
      holdLedger(table, [grant]);
      return {};
    });
    expect(readResponse(await get())).toEqual(answer(200, bodies.slice(3)));
  });

  it.each(['', 'sum=day', 'sum=job'])('answers 404 to a known user: ?%s', async (query) => {
    table
      .on(GetCommand)
      .callsFake(({ Key }) => (Key.SK === 'PROFILE' ? { Item: profileItem() } : {}));
    holdLedger(table, []);
    const response = await get(query, '/quotas/hpc_two/proj_hpc_two_02/ledger/');
    expect(readResponse(response)).toEqual(quotaNotFound('hpc_two', 'proj_hpc_two_02'));
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(0);
  });
});
