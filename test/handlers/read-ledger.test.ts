import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/quotas/read-quotas.ts';
import { ask, asUser, call } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { ledgerItem, ledgerOfOne } from '../fixtures/ledgers.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { answer, invalidPart, nextCursor, quotaNotFound, refusal } from '../fixtures/responses.ts';
import { hpcOne, otherUser, quotaItem, submittedAt } from '../fixtures/samples.ts';

const table = useTable();
holdClock(submittedAt);
const path = '/quotas/hpc_one/proj_hpc_one_01/ledger/';
const account = quotaItem(hpcOne, { timeLeft: 17_900_000, spaceLeft: 9_999_999 });

/** A line as a body shows it, with what was left after it. */
function bodyOf(line: ReturnType<typeof ledgerItem>, time_left: number, space_left: number) {
  const { at, kind, by, reason, job_id = null, act_id = null } = line;
  const amounts = { time: line.seconds, space: line.kilobytes, time_left, space_left };
  return { at, kind, ...amounts, by, reason, job_id, act_id };
}

const settled = { outcome: 'succeeded', used: 11_520, held: 14_400, excused: 7 };
const bodies = [
  bodyOf(ledgerOfOne.correction, 17_900_000, 9_999_999),
  { ...bodyOf(ledgerOfOne.settle, 17_988_480, 9_999_999), settled },
  bodyOf(ledgerOfOne.hold, 17_985_600, 9_999_999),
  bodyOf(ledgerOfOne.grant, 18_000_000, 10_000_000),
];

const get = (query = '', where = path, headers = asUser()) =>
  ask(handler, { path: where, query, headers });

/** So many lines of one day, as one answer of the table. */
const manyLines = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...ledgerOfOne.hold,
    SK: `2019-02-09T#${index}`,
  }));

describe('GET /quotas/{hpc}/{project_name}/ledger/', () => {
  beforeEach(() => table.hold(profileItem(), account, ...ledgerOfOne.lines));

  it('answers every line, the newest first, with what was left after it', async () => {
    expect(await get()).toEqual(answer(200, bodies));
    expect(await get('', path.slice(0, -1))).toEqual(answer(200, bodies));
  });

  it('reads the account before and after the lines', async () => {
    await get();
    expect(table.sent()).toEqual(['GetItem', 'Query', 'GetItem']);
  });

  it('writes space as a float and time as an integer, as a quota does', async () => {
    const { body } = await call(handler, { path, query: 'limit=1', headers: asUser() });
    expect(body).toContain(
      '"time":-88480,"space":0.0,"time_left":17900000,"space_left":9999999.0,',
    );
  });

  it('carries the balance over the pages, whatever their size, and reads the account once', async () => {
    for (const limit of [1, 2, 3]) {
      let page = await get(`limit=${limit}`);
      const seen = Array.from(Object(page.body));
      const before = table.sent().length;
      for (let pages = 1; pages * limit < bodies.length; pages += 1) {
        page = await get(`limit=${limit}&cursor=${nextCursor(page)}`);
        seen.push(...Array.from(Object(page.body)));
      }
      expect(seen).toEqual(bodies);
      expect(page.headers).not.toHaveProperty('link');
      expect(new Set(table.sent().slice(before))).toEqual(new Set(['Query']));
    }
    expect((await get('limit=4')).headers).not.toHaveProperty('link');
  });

  it('takes a cursor for its own list alone', async () => {
    const { headers } = await get('limit=1');
    expect(headers?.link).toMatch(
      /^<https:\/\/slipway\.test\/quotas\/hpc_one\/.+\/ledger\/\?limit=1&/,
    );
    const query = `cursor=${nextCursor({ headers })}`;
    const others = [
      get(`${query}&since=2019-02-08`),
      get(`${query}&until=2019-02-11`),
      get(query, '/quotas/hpc_two/proj_hpc_two_01/ledger/'),
      get(query, path, asUser(otherUser)),
      get('cursor=28.AAAAAAAAAAAAAAAAAAAAAA'),
    ];
    for (const response of await Promise.all(others)) {
      expect(response).toEqual(invalidPart('query', 'cursor', 'It does not belong to this list.'));
    }
  });

  it.each([
    ['since=2019-02-09T09:36:00.000Z', bodies.slice(0, 2)],
    ['until=2019-02-09T09:36:00.000Z', bodies.slice(1)],
    ['since=2020-01-01', []],
    ['since=2019-02-10&until=2019-02-08', []],
  ])(
    'answers to %s what it names, both included, with balances from the lines after',
    async (query, shown) => {
      expect(await get(query)).toEqual(answer(200, shown));
    },
  );

  it('shows the ledger of an account that was removed, with nothing left', async () => {
    const amount = { seconds: -17_900_000, kilobytes: -9_999_999 };
    await table.drop(account);
    await table.hold(
      ledgerItem(hpcOne, { at: '2019-02-10T11:00:00.000Z', kind: 'correction', ...amount }),
    );
    expect((await get()).body).toMatchObject([{ time_left: 0, space_left: 0 }, ...bodies]);
  });

  const zero = { time: 0, space: 0 };
  /** What became of the job, on its day and by itself. */
  const ofJob = {
    corrected: zero,
    held: { time: 14_400, space: 1 },
    returned: { time: 2880, space: 0 },
    used: { time: 11_520, space: 0 },
    change: { time: -11_520, space: -1 },
  };

  it('sum=day answers what became of the account, day by day, of the last 31 days', async () => {
    const none = { granted: zero, expired: zero, corrected: zero, held: zero };
    const rest = { ...none, returned: zero, used: zero };
    const change = { time: -88_480, space: 0 };
    const granted = { time: 18_000_000, space: 10_000_000 };
    const second = { time: 1, space: 0 };
    await table.hold(
      ...['2019-01-10T23:59:59.999Z', '2019-01-11T00:00:00.000Z'].map((at) =>
        ledgerItem(hpcOne, { at, kind: 'grant', seconds: 1, kilobytes: 0 }),
      ),
    );
    expect((await get('sum=day')).body).toEqual([
      { ...rest, day: '2019-02-10', corrected: change, change },
      { ...rest, day: '2019-02-09', ...ofJob },
      { ...rest, day: '2019-02-08', granted, change: granted },
      { ...rest, day: '2019-01-11', granted: second, change: second },
    ]);
    const named = await get('sum=day&since=2019-02-09&until=2019-02-09');
    expect(named.body).toEqual([{ ...rest, day: '2019-02-09', ...ofJob }]);
  });

  it('sum=job answers what each job held, used and gave back', async () => {
    expect(await get('sum=job')).toEqual(answer(200, [{ job_id: hpcOne.jobId, ...ofJob }]));
  });
});

describe('a ledger, on a mocked table', () => {
  beforeEach(() => {
    table.mock.on(GetCommand).resolves({ Item: account });
    table.mock.on(QueryCommand).resolves({ Items: ledgerOfOne.lines.toReversed() });
  });

  it('is read on where the table answers in parts', async () => {
    const lines = ledgerOfOne.lines.toReversed();
    const LastEvaluatedKey = { PK: lines[0]?.PK, SK: lines[0]?.SK };
    table.mock
      .on(QueryCommand)
      .resolvesOnce({ Items: lines.slice(0, 1), LastEvaluatedKey })
      .resolves({ Items: lines.slice(1) });
    expect((await get()).body).toEqual(bodies);
    const [, second] = table.mock.commandCalls(QueryCommand);
    expect(second?.args[0].input).toMatchObject({ ExclusiveStartKey: LastEvaluatedKey });
  });

  it('is answered with 503 where the account changes again and again', async () => {
    let timeLeft = 0;
    table.mock
      .on(GetCommand)
      .callsFake(() => ({ Item: quotaItem(hpcOne, { timeLeft: timeLeft++ }) }));
    expect(await get()).toMatchObject(refusal(503, 'busy'));
    expect(table.mock.commandCalls(QueryCommand)).toHaveLength(8);
  });

  it.each([
    {
      query: 'until=2019-02-09T08:00:00Z',
      most: 20_000,
      name: 'until',
      message:
        'More than 20000 lines are newer than this. Choose a later time, or follow the pages.',
    },
    {
      query: 'sum=job',
      most: 10_000,
      name: 'since',
      message: 'This period has more than 10000 lines. Choose a shorter one with since and until.',
    },
  ])('is refused beyond $most lines: ?$query', async ({ query, most, name, message }) => {
    table.mock.on(QueryCommand).resolves({ Items: manyLines(most) });
    expect((await get(query)).statusCode).toBe(200);
    table.mock.on(QueryCommand).resolves({ Items: manyLines(most + 1) });
    expect(await get(query)).toEqual(invalidPart('query', name, message));
  });
});

describe('GET .../ledger/ of somebody who has none', () => {
  it('welcomes a new user, and shows the grant', async () => {
    expect((await get()).body).toMatchObject([{ kind: 'grant', time_left: 18_000_000 }]);
  });

  it.each(['', 'sum=day', 'sum=job'])('answers 404 to a known user: ?%s', async (query) => {
    await table.hold(profileItem());
    const response = await get(query, '/quotas/hpc_two/proj_hpc_two_02/ledger/');
    expect(response).toEqual(quotaNotFound('hpc_two', 'proj_hpc_two_02'));
    expect(table.writes()).toBe(0);
  });
});
