import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as change } from '#functions/admin/change-user.ts';
import { handler as clear } from '#functions/admin/clear-user.ts';
import { handler as mapAll } from '#functions/admin/map-accounts.ts';
import { handler as read } from '#functions/admin/read-users.ts';
import { handler as submit } from '#functions/jobs/submit-job.ts';
import { asAdministrator, call } from '#test/fixtures/call.ts';
import { answer, invalidRequest, problem, readResponse } from '#test/fixtures/responses.ts';
import { administrator, hpcOne, hpcTwo, quotaItem, user } from '#test/fixtures/samples.ts';
import { mockStorage } from '#test/fixtures/storage-mock.ts';
import { submission } from '#test/fixtures/submissions.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  tableName,
} from '#test/fixtures/table-mock.ts';

/** hpc_one as a system whose jobs run as their owners; hpc_two as it is. */
vi.mock('#test/fixtures/chosen-systems.ts', async () => {
  const { catalog } = await import('#test/fixtures/catalog.ts');
  const systems = catalog.systems.map((system, index) => ({
    ...system,
    runsAs: index === 0 ? 'mapped' : 'service',
  }));
  return { chosenSystems: () => systems };
});

const table = mockTable();
const storage = mockStorage();
const reason = 'A course in spring.';
const key = { PK: `USER#${user}`, SK: `LOGIN#${hpcOne.hpc}` };
const path = `/admin/users/${user}/accounts/${hpcOne.hpc}/`;
const shown = { user, hpc: hpcOne.hpc, account: 'ada' };

const loginItem = (login: string) => ({
  ...key,
  type: 'login',
  schema_version: 1,
  user,
  hpc: hpcOne.hpc,
  login,
});

/** The login that the table has. */
let stored: string | undefined;

beforeEach(() => {
  table.reset();
  storage.reset();
  stored = undefined;
  table.on(GetCommand).callsFake(({ Key }) => {
    if (!Key.SK.startsWith('LOGIN#')) return { Item: quotaItem(hpcOne) };
    return stored === undefined ? {} : { Item: loginItem(stored) };
  });
  table.on(QueryCommand).callsFake(() => ({
    Items: stored === undefined ? [] : [loginItem(stored)],
  }));
  table.on(UpdateCommand).resolves({ Attributes: { value: 80 } });
  table.on(TransactWriteCommand).resolves({});
});

const transactions = () =>
  table.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input.TransactItems);

function act(kind: string, before: string | null, after: string | null) {
  return {
    Put: {
      TableName: tableName,
      Item: expect.objectContaining({
        PK: expect.stringMatching(/^AUDIT#/),
        kind,
        by: administrator,
        reason,
        user,
        hpc: hpcOne.hpc,
        details: { account: { before, after } },
      }),
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  };
}

function put(body: unknown, at = path) {
  const headers = { ...asAdministrator(), 'content-type': 'application/json' };
  return call(change, {
    method: 'PUT',
    path: at,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  });
}

const notUsed = {
  slug: 'accounts-not-used',
  title: 'Accounts are not used there',
  detail:
    "All jobs on hpc_two run as the service's own user, so accounts are not used there. " +
    "To run each job as its owner, set runsAs to 'mapped' for this system in the catalog first.",
};

describe('PUT /admin/users/{user_id}/accounts/{hpc}/', () => {
  it('enters an account and its line in the audit in one transaction, of nobody ever seen too', async () => {
    expect(readResponse(await put({ account: 'ada', reason }))).toEqual(
      answer(201, shown, { location: `https://slipway.test${path}` }),
    );
    const Item = loginItem('ada');
    expect(transactions()).toEqual([
      [
        { Put: { TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } },
        act('account-mapped', null, 'ada'),
      ],
    ]);
  });

  it('changes one, over the one that was read alone, and writes nothing where it is the same', async () => {
    stored = 'grace';
    expect(readResponse(await put({ account: 'ada', reason }))).toEqual(answer(200, shown));
    expect(transactions()).toEqual([
      [
        {
          Put: {
            TableName: tableName,
            Item: loginItem('ada'),
            ConditionExpression: 'login = :seen',
            ExpressionAttributeValues: { ':seen': 'grace' },
          },
        },
        act('account-mapped', 'grace', 'ada'),
      ],
    ]);
    stored = 'ada';
    expect(readResponse(await put({ account: 'ada', reason }))).toEqual(answer(200, shown));
    expect(transactions()).toHaveLength(1);
  });

  it('decides again where somebody else was first', async () => {
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(() => {
        stored = 'ada';
        throw canceled([conditionFailed(), passed]);
      })
      .resolves({});
    expect(readResponse(await put({ account: 'ada', reason }))).toEqual(answer(200, shown));
    expect(transactions()).toHaveLength(1);
  });

  it('refuses names that no account of a person has', async () => {
    const form =
      'It must be a user name of the system: 1 to 32 lower-case letters, digits, - and _, ' +
      'beginning with a letter or _.';
    const root = "Jobs must not run as root. Name the user's own account.";
    const names = ['', 'Ada', '1a', '-a', 'a b', 'a$', '../ada', 'a\n', 'ä', 'a'.repeat(33)];
    for (const account of names) {
      expect(readResponse(await put({ account, reason }))).toEqual(
        invalidRequest([{ location: 'body', name: 'account', message: form }]),
      );
    }
    expect(readResponse(await put({ account: 'root' }))).toEqual(
      invalidRequest([
        { location: 'body', name: 'account', message: root },
        { location: 'body', name: 'reason', message: 'This field is required.' },
      ]),
    );
    expect(transactions()).toEqual([]);
  });

  it('answers 409 where jobs run as the service, and 404 of a system that is not there', async () => {
    const on = (hpc: string) => put({ account: 'ada', reason }, path.replace(hpcOne.hpc, hpc));
    expect(readResponse(await on(hpcTwo.hpc))).toEqual(problem({ status: 409, ...notUsed }));
    expect((await on('hpc_nine')).statusCode).toBe(404);
    expect(transactions()).toEqual([]);
  });
});

describe('GET and DELETE /admin/users/{user_id}/accounts/', () => {
  const get = (at: string) => call(read, { path: at, headers: asAdministrator() });
  const remove = () =>
    call(clear, {
      method: 'DELETE',
      path,
      query: `reason=${encodeURIComponent(reason)}`,
      headers: asAdministrator(),
    });
  const notFound = problem({
    status: 404,
    slug: 'account-not-found',
    title: 'No such account',
    detail:
      "User '306328' has no account on hpc_one. " +
      'GET /admin/users/306328/accounts/ lists the accounts of this user.',
  });

  it('answer what is entered, and take it away', async () => {
    stored = 'ada';
    expect(readResponse(await get(`/admin/users/${user}/accounts/`))).toEqual(answer(200, [shown]));
    expect(readResponse(await get(path))).toEqual(answer(200, shown));
    expect(readResponse(await remove())).toEqual(answer(200, shown));
    expect(transactions()).toEqual([
      [
        {
          Delete: {
            TableName: tableName,
            Key: key,
            ConditionExpression: 'login = :seen',
            ExpressionAttributeValues: { ':seen': 'ada' },
          },
        },
        act('account-unmapped', 'ada', null),
      ],
    ]);
  });

  it('answer nothing, and 404, where none is', async () => {
    expect(readResponse(await get(`/admin/users/${user}/accounts/`))).toEqual(answer(200, []));
    expect(readResponse(await get(path))).toEqual(notFound);
    expect(readResponse(await remove())).toEqual(notFound);
  });
});

describe('POST /admin/accounts/', () => {
  function post(lines: readonly string[], query = `reason=${encodeURIComponent(reason)}`) {
    const headers = { ...asAdministrator(), 'content-type': 'application/x-ndjson' };
    const body = Buffer.from(lines.join('\n'));
    return call(mapAll, { method: 'POST', path: '/admin/accounts/', query, headers, body });
  }
  const row = (account: string, user_id: string = user, hpc: string = hpcOne.hpc) =>
    JSON.stringify({ user_id, hpc, account });
  const refused = (line: number, problem: object) => ({ line, outcome: 'refused', problem });
  const invalid = (name: string, message: string) => ({
    type: 'urn:slipway:problem:invalid-request',
    title: 'The request is not valid',
    detail: `${name}: ${message}`,
    errors: [{ location: 'body', name, message }],
  });

  it('says what became of each row, and does all that can be done', async () => {
    stored = 'grace';
    const lines = [row('ada'), row('grace', '7'), row('root', '8'), 'no row', row('eve')];
    const answered = readResponse(
      await post([...lines, row('ada', '9', 'hpc_two'), row('ada', '9', 'x')]),
    );
    const { slug, ...explained } = notUsed;
    expect(answered).toEqual(
      answer(200, [
        { line: 1, outcome: 'changed', ...shown },
        { line: 2, outcome: 'unchanged', user: '7', hpc: hpcOne.hpc, account: 'grace' },
        refused(3, invalid('account', "Jobs must not run as root. Name the user's own account.")),
        refused(4, invalid('row', 'It is not valid JSON.')),
        refused(5, invalid('row', 'Line 1 is about the same thing. Send only one of them.')),
        refused(6, { type: `urn:slipway:problem:${slug}`, ...explained }),
        refused(7, invalid('hpc', 'Unknown HPC system. Known systems: hpc_one, hpc_two.')),
      ]),
    );
    expect(transactions()).toHaveLength(1);
  });

  it('only tells what it would do, with dry_run', async () => {
    const query = `dry_run=true&reason=${encodeURIComponent(reason)}`;
    const answered = readResponse(await post([row('ada')], query));
    expect(answered).toEqual(answer(200, [{ line: 1, outcome: 'created', ...shown }]));
    expect(transactions()).toEqual([]);
  });

  it('is a fault of ours as a whole, and none of a row', async () => {
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed]));
    expect((await post([row('ada'), row('root', '8')])).statusCode).toBe(503);
  });

  it('needs a reason', async () => {
    expect(readResponse(await post([row('ada')], ''))).toEqual(
      invalidRequest([{ location: 'query', name: 'reason', message: 'This field is required.' }]),
    );
  });
});

describe('POST /jobs/{hpc}/ where jobs run as their owners', () => {
  const missing = problem({
    status: 403,
    slug: 'account-missing',
    title: 'No account on this HPC system',
    detail: 'You have no account on hpc_one yet. Ask an administrator to add one for user 306328.',
  });

  it('is refused without an account, and so is its estimate; nothing is written', async () => {
    expect(readResponse(await call(submit, submission(hpcOne)))).toEqual(missing);
    const query = 'dry_run=true';
    expect(readResponse(await call(submit, { ...submission(hpcOne), query }))).toEqual(missing);
    expect(transactions()).toEqual([]);
    expect(storage.calls).toEqual([]);
  });

  it('keeps with the job as whom it runs, and says it in the estimate', async () => {
    stored = 'ada';
    expect((await call(submit, submission(hpcOne))).statusCode).toBe(201);
    const lives = (transactions()[0] ?? []).filter(({ Put }) => Put?.Item?.type === 'job-life');
    expect(lives.map(({ Put }) => Put?.Item?.login)).toEqual(['ada']);
    // The caller has no earlier jobs.
    table.on(QueryCommand).resolves({ Items: [] });
    const estimate = await call(submit, { ...submission(hpcOne), query: 'dry_run=true' });
    expect(readResponse(estimate).body).toMatchObject({ accepted: true, account: 'ada' });
  });

  it('reads no account where jobs run as the service', async () => {
    expect((await call(submit, submission(hpcTwo))).statusCode).toBe(201);
    const reads = table.commandCalls(GetCommand).map(({ args: [{ input }] }) => input.Key?.SK);
    expect(reads).toEqual([]);
  });

  it('answers a request again that was answered, though the account is gone', async () => {
    stored = 'ada';
    const request = submission(hpcOne, { headers: { 'idempotency-key': 'a-key' } });
    const first = readResponse(await call(submit, request));
    const Item = transactions()[0]?.[0]?.Put?.Item;
    stored = undefined;
    const known = { PK: `USER#${user}`, SK: 'IDEMPOTENCY#a-key' };
    table.on(GetCommand, { Key: known }).resolves({ Item });
    const again = { ...first.headers, 'idempotency-replayed': 'true' };
    expect(readResponse(await call(submit, request))).toEqual({ ...first, headers: again });
    expect(transactions()).toHaveLength(1);
    const changed = { ...hpcOne.payload, title: 'another title' };
    const other = submission(hpcOne, {
      headers: { 'idempotency-key': 'a-key' },
      payload: changed,
    });
    expect((await call(submit, other)).statusCode).toBe(422);
    table.on(GetCommand, { Key: known }).resolves({ Item: { ...Item, expires_at: 1 } });
    expect(readResponse(await call(submit, request))).toEqual(missing);
  });
});
