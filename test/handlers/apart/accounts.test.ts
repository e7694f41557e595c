import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as change } from '#functions/admin/change-user.ts';
import { handler as clear } from '#functions/admin/clear-user.ts';
import { handler as mapAll } from '#functions/admin/map-accounts.ts';
import { handler as read } from '#functions/admin/read-users.ts';
import { handler as submit } from '#functions/jobs/submit-job.ts';
import { asAdministrator, ask } from '#test/fixtures/call.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { answer, invalidPart, invalidRequest, refusal } from '#test/fixtures/responses.ts';
import { administrator, hpcOne, hpcTwo, quotaItem, user } from '#test/fixtures/samples.ts';
import { mockStorage } from '#test/fixtures/storage-mock.ts';
import { submission } from '#test/fixtures/submissions.ts';
import { canceled, conditionFailed, passed, sentTransactions } from '#test/fixtures/table-mock.ts';

/** hpc_one as a system whose jobs run as their owners; hpc_two as it is. */
vi.mock('#test/fixtures/chosen-systems.ts', async () => {
  const { catalog } = await import('#test/fixtures/catalog.ts');
  const systems = catalog.systems.map((system, index) => ({
    ...system,
    runsAs: index === 0 ? 'mapped' : 'service',
  }));
  return { chosenSystems: () => systems };
});

const table = useTable();
const storage = mockStorage();
const reason = 'A course in spring.';
const key = { PK: `USER#${user}`, SK: `LOGIN#${hpcOne.hpc}` };
const path = `/admin/users/${user}/accounts/${hpcOne.hpc}/`;
const shown = { user, hpc: hpcOne.hpc, account: 'ada' };

const loginItem = (login: string, owner: string = user) => ({
  ...key,
  PK: `USER#${owner}`,
  type: 'login',
  schema_version: 1,
  user: owner,
  hpc: hpcOne.hpc,
  login,
});

/** The acts, each with the account before and after. */
async function expectActs(...acts: [kind: string, before: string | null, after: string | null][]) {
  const told = { by: administrator, reason, user, hpc: hpcOne.hpc };
  expect(await table.list('AUDIT#')).toMatchObject(
    acts.map(([kind, before, after]) => ({
      kind,
      ...told,
      details: { account: { before, after } },
    })),
  );
  expect(table.writes()).toBe(acts.length);
}

const put = (body: unknown, at = path) =>
  ask(change, { method: 'PUT', path: at, headers: asAdministrator() }, body);
const get = (at: string) => ask(read, { path: at, headers: asAdministrator() });
const inQuery = `reason=${encodeURIComponent(reason)}`;
const remove = () =>
  ask(clear, { method: 'DELETE', path, query: inQuery, headers: asAdministrator() });

describe('PUT /admin/users/{user_id}/accounts/{hpc}/', () => {
  it('enters an account and its line in the audit in one transaction, of nobody ever seen too', async () => {
    const location = `https://slipway.test${path}`;
    expect(await put({ account: 'ada', reason })).toEqual(answer(201, shown, { location }));
    expect(await table.read(key)).toEqual(loginItem('ada'));
    await expectActs(['account-mapped', null, 'ada']);
  });

  it('changes one, and writes nothing where it is the same', async () => {
    await table.hold(loginItem('grace'));
    expect(await put({ account: 'ada', reason })).toEqual(answer(200, shown));
    expect(await put({ account: 'ada', reason })).toEqual(answer(200, shown));
    expect(await table.read(key)).toEqual(loginItem('ada'));
    await expectActs(['account-mapped', 'grace', 'ada']);
  });

  it('refuses names that no account of a person has', async () => {
    const wrong = (name: string, message: string) => ({ location: 'body' as const, name, message });
    const form =
      'It must be a user name of the system: 1 to 32 lower-case letters, digits, - _ and ., ' +
      'beginning with a letter or _.';
    const names = ['', 'Ada', '1a', '-a', 'a b', 'a$', '../ada', 'a\n', 'ä', 'a'.repeat(33)];
    for (const account of names) {
      expect(await put({ account, reason })).toEqual(invalidPart('body', 'account', form));
    }
    expect(await put({ account: 'root' })).toEqual(
      invalidRequest([
        wrong('account', "Jobs must not run as root. Name the user's own account."),
        wrong('reason', 'This field is required.'),
      ]),
    );
    expect(table.writes()).toBe(0);
  });

  it('answers 409 where jobs run as the service, and 404 of a system that is not there', async () => {
    const on = (hpc: string) => put({ account: 'ada', reason }, path.replace(hpcOne.hpc, hpc));
    expect(await on(hpcTwo.hpc)).toMatchObject(refusal(409, 'accounts-not-used'));
    expect((await on('hpc_nine')).statusCode).toBe(404);
    expect(table.writes()).toBe(0);
  });
});

describe('GET and DELETE /admin/users/{user_id}/accounts/', () => {
  const notFound = refusal(404, 'account-not-found');

  it('answer what is entered, take it away, and then answer that there is none', async () => {
    await table.hold(loginItem('ada'));
    expect(await get(`/admin/users/${user}/accounts/`)).toEqual(answer(200, [shown]));
    expect(await get(path)).toEqual(answer(200, shown));
    expect(await remove()).toEqual(answer(200, shown));
    expect(await get(`/admin/users/${user}/accounts/`)).toEqual(answer(200, []));
    expect(await get(path)).toMatchObject(notFound);
    expect(await remove()).toMatchObject(notFound);
    await expectActs(['account-unmapped', 'ada', null]);
  });
});

describe('POST /admin/accounts/', () => {
  async function post(lines: readonly string[], query = inQuery) {
    const headers = { ...asAdministrator(), 'content-type': 'application/x-ndjson' };
    const request = { method: 'POST', path: '/admin/accounts/', query, headers };
    return ask(mapAll, { ...request, body: Buffer.from(lines.join('\n')) });
  }
  const row = (account: string, user_id: string = user, hpc: string = hpcOne.hpc) =>
    JSON.stringify({ user_id, hpc, account });
  const refused = (line: number, name: string, message: string) => ({
    line,
    outcome: 'refused',
    problem: { errors: [{ location: 'body', name, message }] },
  });

  it('says what became of each row, and does all that can be done', async () => {
    await table.hold(loginItem('grace'), loginItem('grace', '7'));
    const lines = [row('ada'), row('grace', '7'), row('root', '8'), 'no row', row('eve')];
    const more = [row('ada', '9', 'hpc_two'), row('ada', '9', 'x')];
    const { statusCode, body } = await post([...lines, ...more]);
    expect(statusCode).toBe(200);
    expect(body).toMatchObject([
      { line: 1, outcome: 'changed', ...shown },
      { line: 2, outcome: 'unchanged', user: '7', hpc: hpcOne.hpc, account: 'grace' },
      refused(3, 'account', "Jobs must not run as root. Name the user's own account."),
      refused(4, 'row', 'It is not valid JSON.'),
      refused(5, 'row', 'Line 1 is about the same thing. Send only one of them.'),
      { line: 6, outcome: 'refused', problem: refusal(409, 'accounts-not-used').body },
      refused(7, 'hpc', 'Unknown HPC system. Known systems: hpc_one, hpc_two.'),
    ]);
    await expectActs(['account-mapped', 'grace', 'ada']);
  });

  it('only tells what it would do, with dry_run, and needs a reason', async () => {
    const created = { line: 1, outcome: 'created', ...shown };
    expect(await post([row('ada')], `dry_run=true&${inQuery}`)).toEqual(answer(200, [created]));
    expect(await post([row('ada')], '')).toEqual(
      invalidPart('query', 'reason', 'This field is required.'),
    );
    expect(table.writes()).toBe(0);
  });

  it('is one transaction a row, and 503 as a whole where that fails: on a mocked table', async () => {
    table.mock
      .on(TransactWriteCommand)
      .resolvesOnce({})
      .rejects(canceled([conditionFailed(), passed]));
    expect((await post([row('ada')])).body).toMatchObject([{ outcome: 'created' }]);
    expect(sentTransactions(table.mock)).toMatchObject([
      [{ Put: { Item: key } }, { Put: { Item: { SK: 'HOLDER' } } }, { Put: {} }],
    ]);
    expect((await post([row('ada'), row('root', '8')])).statusCode).toBe(503);
  });
});

describe('POST /jobs/{hpc}/ where jobs run as their owners', () => {
  const missing = refusal(403, 'account-missing');
  const send = (request = submission(hpcOne)) => ask(submit, request);
  const estimate = { ...submission(hpcOne), query: 'dry_run=true' };

  beforeEach(async () => {
    storage.reset();
    await table.hold(quotaItem(hpcOne), quotaItem(hpcTwo));
  });

  it('is refused without an account, and so is its estimate; nothing is written', async () => {
    expect(await send()).toMatchObject(missing);
    expect(await send(estimate)).toMatchObject(missing);
    expect(await table.list(`USER#${user}`)).toHaveLength(2);
    expect(storage.calls).toEqual([]);
  });

  it('keeps with the job as whom it runs, and says it in the estimate', async () => {
    await table.hold(loginItem('ada'));
    expect((await send()).statusCode).toBe(201);
    const lives = (await table.list()).filter(({ type }) => type === 'job-life');
    expect(lives.map(({ login }) => login)).toEqual(['ada']);
    expect((await send(estimate)).body).toMatchObject({ accepted: true, account: 'ada' });
  });

  it('reads no account where jobs run as the service', async () => {
    expect((await send(submission(hpcTwo))).statusCode).toBe(201);
    expect(table.mock.commandCalls(GetCommand)).toEqual([]);
  });

  it('answers a request again that was answered, though the account is gone', async () => {
    await table.hold(loginItem('ada'));
    const headers = { 'idempotency-key': 'a-key' };
    const request = submission(hpcOne, { headers });
    const first = await send(request);
    await table.drop(key);
    const again = { ...first.headers, 'idempotency-replayed': 'true' };
    expect(await send(request)).toEqual({ ...first, headers: again });
    const payload = { ...hpcOne.payload, title: 'another title' };
    expect((await send(submission(hpcOne, { headers, payload }))).statusCode).toBe(422);
    const known = await table.read({ PK: key.PK, SK: 'IDEMPOTENCY#a-key' });
    await table.hold({ ...known, expires_at: 1 });
    expect(await send(request)).toMatchObject(missing);
  });
});
