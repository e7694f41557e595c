import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as ask } from '#functions/requests/create-request.ts';
import { handler as decide } from '#functions/requests/decide-request.ts';
import { handler as readAll } from '#functions/requests/read-all-requests.ts';
import { handler as read } from '#functions/requests/read-requests.ts';
import { handler as withdraw } from '#functions/requests/withdraw-request.ts';
import { asAdministrator, asUser, call } from '../fixtures/call.ts';
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
  problem,
  projectNotFound,
  readResponse,
  systemNotFound,
} from '../fixtures/responses.ts';
import { administrator, hpcOne, otherUser, quotaItem, user } from '../fixtures/samples.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';

const table = mockTable();
const PK = `USER#${user}`;
const path = `/requests/${request}/`;

beforeEach(() => {
  table.reset();
  table.on(GetCommand).resolves({});
  table.on(TransactWriteCommand).resolves({});
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(openedAt) });
});
afterEach(() => vi.useRealTimers());

type Stored = Readonly<Record<string, unknown>>;

/** What the table has, one read after the other; the last one stays. */
function store(SK: string, ...items: (Stored | undefined)[]): void {
  const reads = table.on(GetCommand, { Key: { PK, SK } });
  for (const Item of items.slice(0, -1)) reads.resolvesOnce({ Item });
  reads.resolves({ Item: items.at(-1) });
}

const transactions = () =>
  table.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input.TransactItems);

const notFound = problem({
  status: 404,
  slug: 'request-not-found',
  title: 'Unknown request',
  detail: 'Request not found. List the requests to see their ids.',
});

const ended = (state: string, by: string) =>
  problem({
    status: 409,
    slug: 'request-ended',
    title: 'The request is not open any more',
    detail: `The request ${request} was ${state} by ${by} on 2026-11-16. Nothing was changed.`,
    members: { state, by },
  });

const put = (Item: Stored, condition: object) => ({
  Put: { TableName: tableName, Item, ...condition },
});
const ifOpen = {
  ConditionExpression: '#state = :open',
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: { ':open': 'open' },
};
const ifSeen = (revision: number) => ({
  ConditionExpression: 'revision = :seen',
  ExpressionAttributeValues: { ':seen': revision },
});

describe('POST /requests/', () => {
  const wish = {
    hpc: 'hpc_one',
    project_name: hpcOne.project,
    time: 36_000,
    space: 1000,
    reason: ' A course in spring. ',
  };
  const post = (body: unknown) =>
    call(ask, {
      method: 'POST',
      path: '/requests/',
      headers: { ...asUser(), 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    });

  it('answers 201 with the request, and keeps it among the open ones in one write', async () => {
    const { body, ...rest } = readResponse(await post(wish));
    const id: string = Object(body).request_id;
    expect(id).toMatch(new RegExp(`^${user}-01a1de53db40[0-9a-f]{20}$`));
    expect({ body, ...rest }).toEqual(
      answer(201, requestBody('open', { request_id: id }), {
        location: `https://slipway.test/requests/${id}/`,
      }),
    );
    const ifNew = { ConditionExpression: 'attribute_not_exists(PK)' };
    expect(transactions()).toEqual([
      [
        put(openRequestsItem(1, [id]), ifNew),
        put(
          requestItem('open', {
            SK: `ASKED#${id}`,
            registry_key: id.slice(user.length + 1),
            request_id: id,
          }),
          ifNew,
        ),
      ],
    ]);
  });

  it('asks for time alone, or for space alone', async () => {
    const { space: _, ...time } = wish;
    expect(readResponse(await post(time)).body).toMatchObject({ time: 36_000, space: 0 });
    const { time: __, ...space } = wish;
    expect(readResponse(await post(space)).body).toMatchObject({ time: 0, space: 1000 });
  });

  it('answers 409 to a second one in the project, and names the first', async () => {
    store('ASKING', openRequestsItem(3));
    expect(readResponse(await post(wish))).toEqual(
      problem({
        status: 409,
        slug: 'request-open',
        title: 'A request is still open',
        detail: `Your request ${request} for the project 'proj_hpc_one_01' on 'hpc_one' is still open. Wait for its decision, or withdraw it first.`,
        members: { request_id: request },
      }),
    );
    expect(transactions()).toEqual([]);
  });

  it('learns of one that was opened in the same moment, and answers 409', async () => {
    store('ASKING', undefined, openRequestsItem(1));
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed]));
    expect((await post(wish)).statusCode).toBe(409);
    expect(transactions()).toHaveLength(1);
  });

  it('answers 409 to one more than 20', async () => {
    const open = openRequestsItem(30);
    const others = Array.from({ length: 20 }, (_, n) => ({
      ...open.requests[0],
      project_name: `project_${n}`,
    }));
    store('ASKING', { ...open, requests: others });
    expect(readResponse(await post(wish)).body).toMatchObject({
      type: 'urn:slipway:problem:too-many-open-requests',
      limit: 20,
    });
    store('ASKING', { ...open, requests: others.slice(1) });
    expect((await post(wish)).statusCode).toBe(201);
  });

  it('answers 404 to a system or a project that is not there', async () => {
    expect(readResponse(await post({ ...wish, hpc: 'HPC_ONE' }))).toEqual(
      systemNotFound('HPC_ONE'),
    );
    expect(readResponse(await post({ ...wish, hpc: 'hpc_two' }))).toEqual(
      projectNotFound('hpc_two', hpcOne.project),
    );
    const Key = { PK: 'PROJECTS', SK: `hpc_two#${hpcOne.project}` };
    expect(sentCommands(table)).toMatchObject([['GetCommand', { Key }]]);
  });

  it('answers 400 with all that is wrong, and asks nothing of the table', async () => {
    const wrong = (name: string, message: string) => ({ location: 'body' as const, name, message });
    const response = await post({ hpc: 1, time: 0, space: 1.5, reason: '', more: true });
    expect(readResponse(response)).toEqual(
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
    expect(sentCommands(table)).toEqual([]);
  });
});

describe('GET /requests/', () => {
  const get = (target: string, query = '', headers = asUser()) =>
    call(read, { path: target, query, headers });

  it('lists the caller’s own, page by page, consistently', async () => {
    const items = [requestItem('approved'), requestItem()];
    table.on(QueryCommand).resolves({ Items: items });
    const response = readResponse(await get('/requests/', 'limit=1'));
    expect(response.body).toEqual([requestBody('approved')]);
    const cursor = /cursor=([^>&]+)/.exec(String(response.headers?.link))?.[1];
    table.on(QueryCommand).resolves({ Items: items.slice(1) });
    expect(readResponse(await get('/requests/', `limit=1&cursor=${cursor}`))).toEqual(
      answer(200, [requestBody()]),
    );
    expect(table.commandCalls(QueryCommand)[1]?.args[0].input).toEqual({
      TableName: tableName,
      KeyConditionExpression: 'PK = :user AND begins_with(SK, :requests)',
      ExpressionAttributeValues: { ':user': PK, ':requests': 'ASKED#' },
      ConsistentRead: true,
      Limit: 2,
      ExclusiveStartKey: { PK, SK: `ASKED#${request}` },
    });
  });

  it.each(['open', 'approved', 'declined', 'withdrawn'] as const)(
    'shows one: %s',
    async (state) => {
      store(`ASKED#${request}`, requestItem(state));
      expect(readResponse(await get(path))).toEqual(answer(200, requestBody(state)));
    },
  );

  it('answers 404 to what is not there, is somebody else’s, or is no identifier', async () => {
    expect(readResponse(await get(path))).toEqual(notFound);
    store(`ASKED#${request}`, requestItem());
    expect(readResponse(await get(path, '', asUser(otherUser)))).toEqual(notFound);
    const before = sentCommands(table).length;
    expect(readResponse(await get('/requests/7/'))).toEqual(notFound);
    expect(sentCommands(table)).toHaveLength(before);
  });
});

describe('DELETE /requests/{request_id}/', () => {
  const remove = (headers = asUser()) => call(withdraw, { method: 'DELETE', path, headers });
  const end = new Date('2026-11-16T09:00:00.000Z');

  it('withdraws an open one, and makes room for another in one write', async () => {
    vi.setSystemTime(end);
    store(`ASKED#${request}`, requestItem(), requestItem(), requestItem('withdrawn'));
    store('ASKING', openRequestsItem(4));
    expect(readResponse(await remove())).toEqual(answer(200, requestBody('withdrawn')));
    expect(transactions()).toEqual([
      [put(requestItem('withdrawn'), ifOpen), put(openRequestsItem(5, []), ifSeen(4))],
    ]);
  });

  it('changes nothing the second time', async () => {
    store(`ASKED#${request}`, requestItem('withdrawn'));
    expect(readResponse(await remove())).toEqual(answer(200, requestBody('withdrawn')));
    expect(transactions()).toEqual([]);
  });

  it('answers 409 to one that was decided, also a moment before', async () => {
    store(`ASKED#${request}`, requestItem('approved'));
    expect(readResponse(await remove())).toEqual(ended('approved', administrator));
    store(`ASKED#${request}`, requestItem(), requestItem(), requestItem('declined'));
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed]));
    expect(readResponse(await remove())).toEqual(ended('declined', administrator));
  });

  it('answers 404 to somebody else’s', async () => {
    store(`ASKED#${request}`, requestItem());
    expect(readResponse(await remove(asUser(otherUser)))).toEqual(notFound);
    expect(transactions()).toEqual([]);
  });
});

describe('GET /admin/requests/', () => {
  const get = (target: string, query = '') =>
    call(readAll, { path: target, query, headers: asAdministrator() });

  it('lists the open ones, the oldest first, with the bans of who asks', async () => {
    const key = { PK, SK: `ASKED#${request}` };
    table.on(QueryCommand).resolves({ Items: [key] });
    table.on(BatchGetCommand).callsFake(({ RequestItems }) => ({
      Responses: {
        [tableName]: RequestItems[tableName].Keys.map(({ SK }: { SK: string }) =>
          SK === 'PROFILE' ? profileItem({ banned: 'A loop.' }) : requestItem(),
        ),
      },
    }));
    expect(readResponse(await get('/admin/requests/'))).toEqual(
      answer(200, [requestBody('open', { banned: 'A loop.' })]),
    );
    expect(table.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      IndexName: 'registry',
      ExpressionAttributeValues: { ':registry': 'REGISTRY#REQUESTS#open' },
    });
    // The index is a moment behind: this one was decided meanwhile.
    expect(readResponse(await get('/admin/requests/', 'state=declined'))).toEqual(answer(200, []));
  });

  it('leads on behind the last that the index has', async () => {
    table
      .on(QueryCommand)
      .resolves({ Items: [{ PK, SK: `ASKED#${request}` }], LastEvaluatedKey: { PK } });
    table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [] } });
    const { headers } = readResponse(await get('/admin/requests/', 'limit=1'));
    const cursor = /cursor=([^>&]+)/.exec(String(headers?.link))?.[1];
    await get('/admin/requests/', `limit=1&cursor=${cursor}`);
    expect(table.commandCalls(QueryCommand)[1]?.args[0].input).toMatchObject({
      ExpressionAttributeValues: { ':after': request.slice(user.length + 1) },
    });
    // Of another list it is none.
    const other = await get('/admin/requests/', `state=approved&limit=1&cursor=${cursor}`);
    expect(other.statusCode).toBe(400);
  });

  it('shows one of anybody’s, and answers 400 to an unknown state', async () => {
    store(`ASKED#${request}`, requestItem());
    expect(readResponse(await get(`/admin${path}`))).toEqual(
      answer(200, requestBody('open', { banned: null })),
    );
    expect((await get('/admin/requests/', 'state=new')).statusCode).toBe(400);
  });
});

describe('PUT /admin/requests/{request_id}/…/', () => {
  const reason = 'A good reason.';
  const decideIt = (decision: 'approve' | 'decline', body: unknown) =>
    call(decide, {
      method: 'PUT',
      path: `/admin${path}${decision}/`,
      headers: { ...asAdministrator(), 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    });

  beforeEach(() => {
    vi.setSystemTime(new Date('2026-11-16T09:00:00.000Z'));
    store('ASKING', openRequestsItem(4));
    store(`QUOTA#hpc_one#${hpcOne.project}`, {
      ...quotaItem(hpcOne),
      time_left: 100,
      time_granted: 100,
      time_held: 0,
      time_used: 0,
    });
  });

  it('approves with other amounts and an end: request, account, ledger and audit in one write', async () => {
    store(`ASKED#${request}`, requestItem(), requestItem(), requestItem('approved'));
    const body = { reason, time: 18_000, valid_until: '2027-07-01T00:00:00Z' };
    expect(readResponse(await decideIt('approve', body))).toEqual(
      answer(200, requestBody('approved', { banned: null })),
    );
    const [steps = []] = transactions();
    expect(steps.slice(0, 2)).toEqual([
      put(requestItem('approved'), ifOpen),
      put(openRequestsItem(5, []), ifSeen(4)),
    ]);
    expect(steps[2]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':added_time_granted': 18_000,
      ':added_space_granted': 0,
      ':valid_until': '2027-07-01T00:00:00.000Z',
    });
    expect(steps[3]?.Put?.Item).toMatchObject({
      type: 'ledger-line',
      kind: 'grant',
      seconds: 18_000,
      reason: `request ${request}: ${reason}`,
    });
    expect(steps[4]?.Put?.Item).toMatchObject({
      type: 'act',
      kind: 'quota-granted',
      by: administrator,
      reason,
      details: { request_id: request, time: { before: 100, after: 18_100 } },
    });
    expect(steps).toHaveLength(5);
  });

  it('looks into the ledgers of somebody whose profile is older than the note of a welcome', async () => {
    store(`ASKED#${request}`, requestItem(), requestItem(), requestItem('approved'));
    store('PROFILE', profileItem({ welcomed_on: undefined }));
    table
      .on(GetCommand, { Key: { PK, SK: quotaItem(hpcOne).SK } })
      .callsFake(() => (transactions().length > 1 ? { Item: quotaItem(hpcOne) } : {}));
    table.on(QueryCommand).resolves({ Items: [{ PK }] });
    table.on(UpdateCommand).resolves({ Attributes: { value: 7 } });
    expect((await decideIt('approve', { reason })).statusCode).toBe(200);
    const asked = table.commandCalls(QueryCommand).map(({ args: [{ input }] }) => input);
    expect(asked.map(({ ExpressionAttributeValues: values }) => values?.[':ledger'])).toContain(
      `LEDGER#${user}#hpc_one#${hpcOne.project}`,
    );
  });

  it('approves what was asked for', async () => {
    store(`ASKED#${request}`, requestItem());
    await decideIt('approve', { reason });
    expect(transactions()[0]?.[2]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':added_time_granted': 36_000,
      ':added_space_granted': 1000,
    });
  });

  it('declines: request and audit in one write', async () => {
    const open = requestItem();
    store(`ASKED#${request}`, open, open, requestItem('declined'));
    expect(readResponse(await decideIt('decline', { reason }))).toEqual(
      answer(200, requestBody('declined', { banned: null })),
    );
    const [steps = []] = transactions();
    expect(steps.slice(0, 2)).toEqual([
      put(requestItem('declined'), ifOpen),
      put(openRequestsItem(5, []), ifSeen(4)),
    ]);
    expect(steps[2]?.Put?.Item).toMatchObject({
      kind: 'request-declined',
      by: administrator,
      reason,
      user,
      hpc: 'hpc_one',
      project_name: hpcOne.project,
      details: { request_id: request, time: 36_000, space: 1000 },
    });
    expect(steps).toHaveLength(3);
  });

  it.each(['approve', 'decline'] as const)(
    'answers 409 to a late %s, with who was first',
    async (decision) => {
      store(`ASKED#${request}`, requestItem('declined', { decided_by: '100002' }));
      expect(readResponse(await decideIt(decision, { reason }))).toEqual(
        ended('declined', '100002'),
      );
      store(`ASKED#${request}`, requestItem('withdrawn'));
      expect(readResponse(await decideIt(decision, { reason }))).toEqual(ended('withdrawn', user));
      expect(transactions()).toEqual([]);
    },
  );

  it('answers 404 to what is not there', async () => {
    expect(readResponse(await decideIt('approve', { reason }))).toEqual(notFound);
    expect(readResponse(await decideIt('decline', { reason }))).toEqual(notFound);
  });

  it.each([
    { decision: 'approve', body: {} },
    { decision: 'approve', body: { reason, time: 0 } },
    { decision: 'approve', body: { reason, time: 0, space: 0 } },
    { decision: 'approve', body: { reason, time: -1 } },
    { decision: 'approve', body: { reason, valid_until: '2026-01-01T00:00:00Z' } },
    { decision: 'decline', body: {} },
    { decision: 'decline', body: { reason, time: 1 } },
  ] as const)('answers 400 to $decision with $body', async ({ decision, body }) => {
    expect((await decideIt(decision, body)).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });
});
