import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as create } from '#functions/requests/create-request.ts';
import { handler as decide } from '#functions/requests/decide-request.ts';
import { handler as readAll } from '#functions/requests/read-all-requests.ts';
import { handler as read } from '#functions/requests/read-requests.ts';
import { handler as withdraw } from '#functions/requests/withdraw-request.ts';
import { asAdministrator, ask, asUser } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem } from '../fixtures/profiles.ts';
import {
  openedAt,
  openRequestsItem,
  request,
  requestBody,
  requestItem,
} from '../fixtures/requests.ts';
import {
  answer,
  invalidRequest,
  nextCursor,
  projectNotFound,
  refusal,
  systemNotFound,
} from '../fixtures/responses.ts';
import { administrator, hpcOne, otherUser, quotaItem, user } from '../fixtures/samples.ts';
import { sentTransactions } from '../fixtures/table-mock.ts';

const table = useTable();
holdClock(openedAt);
const path = `/requests/${request}/`;
const reason = 'A good reason.';
const end = new Date('2026-11-16T09:00:00.000Z');

const wish = {
  hpc: 'hpc_one',
  project_name: hpcOne.project,
  time: 36_000,
  space: 1000,
  reason: ' A course in spring. ',
};

const post = (body: unknown) =>
  ask(create, { method: 'POST', path: '/requests/', headers: asUser() }, body);
const get = (target: string, query = '', headers = asUser()) =>
  ask(read, { path: target, query, headers });
const getAll = (target: string, query = '') =>
  ask(readAll, { path: target, query, headers: asAdministrator() });
const remove = (headers = asUser()) => ask(withdraw, { method: 'DELETE', path, headers });
const decideIt = async (decision: 'approve' | 'decline', body: unknown = { reason }) => {
  const target = { method: 'PUT', path: `/admin${path}${decision}/`, headers: asAdministrator() };
  return ask(decide, target, body);
};

const notFound = refusal(404, 'request-not-found');

const ended = (state: string, by: string) => refusal(409, 'request-ended', { state, by });

describe('POST /requests/', () => {
  it('answers 201 with the request, and keeps it among the open ones in one write', async () => {
    const created = await post(wish);
    const { request_id: id } = Object(created.body);
    expect(id).toMatch(new RegExp(`^${user}-01a1de53db40[0-9a-f]{20}$`));
    const location = `https://slipway.test/requests/${id}/`;
    expect(created).toEqual(answer(201, requestBody('open', { request_id: id }), { location }));
    const registry_key = id.slice(user.length + 1);
    expect(await table.list()).toEqual([
      requestItem('open', { SK: `ASKED#${id}`, registry_key, request_id: id }),
      openRequestsItem(1, [id]),
    ]);
    expect(table.writes()).toBe(1);
  });

  it.each([
    { part: { time: 36_000 }, shown: { time: 36_000, space: 0 } },
    { part: { space: 1000 }, shown: { time: 0, space: 1000 } },
  ])('asks for $part alone', async ({ part, shown }) => {
    const { time: _, space: __, ...rest } = wish;
    expect((await post({ ...rest, ...part })).body).toMatchObject(shown);
  });

  it('answers 409 to a second one in the project, and names the first', async () => {
    await table.hold(openRequestsItem(3));
    expect(await post(wish)).toMatchObject(refusal(409, 'request-open', { request_id: request }));
    expect(table.writes()).toBe(0);
  });

  it('answers 409 to one more than 20', async () => {
    const open = openRequestsItem(30);
    const requests = Array.from({ length: 20 }, (_, n) => {
      return { ...open.requests[0], project_name: `project_${n}` };
    });
    await table.hold({ ...open, requests });
    const limited = refusal(409, 'too-many-open-requests', { limit: 20 });
    expect(await post(wish)).toMatchObject(limited);
    await table.hold({ ...open, requests: requests.slice(1) });
    expect((await post(wish)).statusCode).toBe(201);
  });

  it('answers 404 to a system or a project that is not there', async () => {
    expect(await post({ ...wish, hpc: 'HPC_ONE' })).toEqual(systemNotFound('HPC_ONE'));
    const foreign = projectNotFound('hpc_two', hpcOne.project);
    expect(await post({ ...wish, hpc: 'hpc_two' })).toEqual(foreign);
  });

  it('answers 400 with all that is wrong, and asks nothing of the table', async () => {
    const wrong = (name: string, message: string) => ({ location: 'body' as const, name, message });
    expect(await post({ hpc: 1, time: 0, space: 1.5, reason: '', more: true })).toEqual(
      invalidRequest([
        wrong('more', 'Unknown field. Known fields: hpc, project_name, time, space, reason.'),
        wrong('hpc', 'It must be text.'),
        wrong('project_name', 'This field is required.'),
        wrong('time', 'It must be at least 1.'),
        wrong('space', 'It must be a whole number.'),
        wrong('reason', 'It must not be empty: say why.'),
      ]),
    );
    const { time: _, space: __, ...nothing } = wish;
    expect((await post(nothing)).statusCode).toBe(400);
    expect((await post({ ...wish, reason: 'x'.repeat(501) })).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });
});

describe('GET /requests/', () => {
  it('lists the caller’s own, page by page', async () => {
    const later = { SK: `ASKED#${request}0`, request_id: `${request}0` };
    await table.hold(requestItem('approved'), requestItem('open', later));
    const first = await get('/requests/', 'limit=1');
    expect(first.body).toEqual([requestBody('approved')]);
    expect(await get('/requests/', `limit=1&cursor=${nextCursor(first)}`)).toEqual(
      answer(200, [requestBody('open', { request_id: later.request_id })]),
    );
  });

  it('answers 404 to what is not there, is somebody else’s, or is no identifier', async () => {
    expect(await get(path)).toMatchObject(notFound);
    await table.hold(requestItem());
    expect(await get(path, '', asUser(otherUser))).toMatchObject(notFound);
    const before = table.sent().length;
    expect(await get('/requests/7/')).toMatchObject(notFound);
    expect(table.sent()).toHaveLength(before);
  });
});

describe('DELETE /requests/{request_id}/', () => {
  it('withdraws an open one, makes room for another in one write, and no other the second time', async () => {
    vi.setSystemTime(end);
    await table.hold(requestItem(), openRequestsItem(4));
    expect(await remove()).toEqual(answer(200, requestBody('withdrawn')));
    expect(await remove()).toEqual(answer(200, requestBody('withdrawn')));
    expect(await table.list()).toEqual([requestItem('withdrawn'), openRequestsItem(5, [])]);
    expect(table.writes()).toBe(1);
  });

  it('answers 409 to one that was decided, and 404 to somebody else’s', async () => {
    await table.hold(requestItem('approved'));
    expect(await remove()).toMatchObject(ended('approved', administrator));
    expect(await remove(asUser(otherUser))).toMatchObject(notFound);
    expect(table.writes()).toBe(0);
  });
});

describe('GET /admin/requests/', () => {
  const inAWhile = { SK: `ASKED#${request}0`, request_id: `${request}0`, registry_key: 'z' };

  it('lists the open ones, the oldest first, with the bans of who asks', async () => {
    await table.hold(
      requestItem(),
      requestItem('open', inAWhile),
      profileItem({ banned: 'A loop.' }),
    );
    const banned = { banned: 'A loop.' };
    expect(await getAll('/admin/requests/')).toEqual(
      answer(200, [
        requestBody('open', banned),
        requestBody('open', { ...banned, request_id: inAWhile.request_id }),
      ]),
    );
    expect(await getAll('/admin/requests/', 'state=declined')).toEqual(answer(200, []));
  });

  it('leaves out what was decided while the index was behind', async () => {
    await table.hold(requestItem('declined', { registry: 'REGISTRY#REQUESTS#open' }));
    expect(await getAll('/admin/requests/')).toEqual(answer(200, []));
  });

  it('leads on behind the last that the index has, by a cursor of this list alone', async () => {
    await table.hold(requestItem(), requestItem('open', inAWhile));
    const cursor = nextCursor(await getAll('/admin/requests/', 'limit=1'));
    expect((await getAll('/admin/requests/', `cursor=${cursor}`)).body).toMatchObject([
      { request_id: inAWhile.request_id },
    ]);
    const other = await getAll('/admin/requests/', `state=approved&limit=1&cursor=${cursor}`);
    expect(other.statusCode).toBe(400);
  });

  it('shows one of anybody’s, and answers 400 to an unknown state', async () => {
    await table.hold(requestItem());
    expect(await getAll(`/admin${path}`)).toEqual(
      answer(200, requestBody('open', { banned: null })),
    );
    expect((await getAll('/admin/requests/', 'state=new')).statusCode).toBe(400);
  });
});

describe('PUT /admin/requests/{request_id}/…/', () => {
  const quota = { ...quotaItem(hpcOne), time_left: 100, time_granted: 100 };

  beforeEach(async () => {
    vi.setSystemTime(end);
    await table.hold(profileItem(), openRequestsItem(4), quota, requestItem());
  });

  it('approves with other amounts and an end: request, account, ledger and audit in one write', async () => {
    const body = { reason, time: 18_000, valid_until: '2027-07-01T00:00:00Z' };
    expect(await decideIt('approve', body)).toEqual(
      answer(200, requestBody('approved', { banned: null })),
    );
    expect(await table.read(requestItem())).toEqual(requestItem('approved'));
    expect(await table.read(openRequestsItem())).toEqual(openRequestsItem(5, []));
    expect(await table.read(quota)).toMatchObject({
      time_granted: 18_100,
      space_granted: 10_000_000,
      valid_until: '2027-07-01T00:00:00.000Z',
    });
    expect(await table.list('LEDGER#')).toMatchObject([
      { kind: 'grant', seconds: 18_000, reason: `request ${request}: ${reason}` },
    ]);
    const details = { request_id: request, time: { before: 100, after: 18_100 } };
    expect(await table.list('AUDIT#')).toMatchObject([
      { kind: 'quota-granted', by: administrator, reason, details },
    ]);
    expect(table.writes()).toBe(1);
  });

  it('approves what was asked for, also of somebody with a profile older than the note of a welcome', async () => {
    const { welcomed_on: _, ...older } = profileItem();
    await table.drop(quota);
    await table.hold(older, {
      PK: `LEDGER#${user}#hpc_one#${hpcOne.project}`,
      SK: '2019-02-08T08:00:00.000Z#grant#slipway',
    });
    expect((await decideIt('approve')).statusCode).toBe(200);
    expect(await table.read(quota)).toMatchObject({ time_granted: 36_000, space_granted: 1000 });
  });

  it('declines: request and audit in one write', async () => {
    expect(await decideIt('decline')).toEqual(
      answer(200, requestBody('declined', { banned: null })),
    );
    expect(await table.read(requestItem())).toEqual(requestItem('declined'));
    expect(await table.read(openRequestsItem())).toEqual(openRequestsItem(5, []));
    expect(await table.list('AUDIT#')).toMatchObject([
      {
        kind: 'request-declined',
        by: administrator,
        reason,
        user,
        hpc: 'hpc_one',
        project_name: hpcOne.project,
        details: { request_id: request, time: 36_000, space: 1000 },
      },
    ]);
    expect(table.writes()).toBe(1);
  });

  it.each(['approve', 'decline'] as const)(
    'answers 409 to a late %s, with who was first, and 404 to what is not there',
    async (decision) => {
      await table.hold(requestItem('declined', { decided_by: '100002' }));
      expect(await decideIt(decision)).toMatchObject(ended('declined', '100002'));
      await table.hold(requestItem('withdrawn'));
      expect(await decideIt(decision)).toMatchObject(ended('withdrawn', user));
      await table.drop(requestItem());
      expect(await decideIt(decision)).toMatchObject(notFound);
      expect(table.writes()).toBe(0);
    },
  );

  it.each([
    ['approve', {}],
    ['approve', { reason, time: 0 }],
    ['approve', { reason, time: 0, space: 0 }],
    ['approve', { reason, time: -1 }],
    ['approve', { reason, valid_until: '2026-01-01T00:00:00Z' }],
    ['decline', {}],
    ['decline', { reason, time: 1 }],
  ] as const)('answers 400 to %s with %j', async (decision, body) => {
    expect((await decideIt(decision, body)).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });
});

describe('on a mocked table', () => {
  const Key = { PK: `USER#${user}`, SK: `ASKED#${request}` };

  it.each([
    ['opens', () => post(wish), { ConditionExpression: 'attribute_not_exists(PK)' }],
    ['withdraws', () => remove(), { ExpressionAttributeValues: { ':open': 'open' } }],
    ['declines', () => decideIt('decline'), { ExpressionAttributeValues: { ':open': 'open' } }],
  ])('%s in one transaction, unless somebody else was first', async (what, send, condition) => {
    table.mock.on(GetCommand, { Key }).resolves({ Item: requestItem() });
    table.mock.on(TransactWriteCommand).resolves({});
    expect((await send()).statusCode).toBeLessThan(300);
    const [steps = [], ...others] = sentTransactions(table.mock);
    expect(steps[what === 'opens' ? 1 : 0]).toMatchObject({ Put: condition });
    expect(others).toEqual([]);
  });

  it('shows what was read', async () => {
    table.mock.on(GetCommand, { Key }).resolves({ Item: requestItem() });
    expect((await get(path)).body).toEqual(requestBody());
    expect((await getAll(`/admin${path}`)).body).toMatchObject(requestBody());
  });

  it('refuses what is not there, and what is there already', async () => {
    table.mock.on(GetCommand).resolves({});
    for (const send of [() => get(path), () => getAll(`/admin${path}`), () => remove()]) {
      expect(await send()).toMatchObject(notFound);
    }
    expect(await decideIt('decline')).toMatchObject(notFound);
    table.mock.on(GetCommand).resolves({ Item: openRequestsItem() });
    expect((await post(wish)).statusCode).toBe(409);
    expect(sentTransactions(table.mock)).toEqual([]);
  });
});
