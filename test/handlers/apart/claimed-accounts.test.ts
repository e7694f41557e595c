import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as change } from '#functions/admin/change-user.ts';
import { handler as clear } from '#functions/admin/clear-user.ts';
import { handler as submitBatch } from '#functions/batches/submit-batch.ts';
import { handler as submit } from '#functions/jobs/submit-job.ts';
import { handler as readQuotas } from '#functions/quotas/read-quotas.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { createTokenVerifier } from '#lib/http/chain/authenticate.ts';
import { audience, issuer as issuerName } from '#local/names.ts';
import { asAdministrator, ask } from '#test/fixtures/call.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { refusal } from '#test/fixtures/responses.ts';
import { hpcOne, otherUser, quotaItem, user } from '#test/fixtures/samples.ts';
import { mockStorage } from '#test/fixtures/storage-mock.ts';
import { submission } from '#test/fixtures/submissions.ts';
import { goodClaims } from '#test/fixtures/token-attacks.ts';
import { issuer } from '#test/setup/function-environment.ts';

/** On hpc_one, jobs run as the account in a claim; hpc_two is as it is. */
vi.mock('#test/fixtures/chosen-systems.ts', async () => {
  const { catalog } = await import('#test/fixtures/catalog.ts');
  const accountClaim = { name: 'mail', pattern: '([a-z.]+)@example\\.org' };
  const systems = catalog.systems.map((system, index) => ({
    ...system,
    ...(index === 0 && { runsAs: 'mapped', accountClaim }),
  }));
  return { chosenSystems: () => systems };
});

const table = useTable();
const storage = mockStorage();
beforeEach(async () => {
  storage.reset();
  await table.hold(quotaItem(hpcOne), {
    ...quotaItem(hpcOne),
    PK: `USER#${otherUser}`,
    user: otherUser,
  });
});

const reason = 'A course in spring.';
const path = `/admin/users/${user}/accounts/${hpcOne.hpc}/`;

function asClaiming(mail: unknown, userId = user) {
  const claims = mail === undefined ? {} : { mail: String(mail) };
  return { authorization: `Bearer ${issuer.issueToken({ user: userId, claims })}` };
}

const request = (mail: unknown, userId = user) =>
  submission(hpcOne, { headers: asClaiming(mail, userId) });
const send = (mail: unknown, userId = user) => ask(submit, request(mail, userId));
const estimate = (mail: unknown, userId = user) =>
  ask(submit, { ...request(mail, userId), query: 'dry_run=true' });
const enter = (account: string, at = path) =>
  ask(change, { method: 'PUT', path: at, headers: asAdministrator() }, { account, reason });
const remove = (at = path) =>
  ask(clear, { method: 'DELETE', path: at, query: 'reason=x', headers: asAdministrator() });

async function listLogins() {
  const items = await table.list();
  return items.flatMap(({ type, login }) => (type === 'job-life' ? [login] : []));
}

function refused(words: string, userId = user) {
  const detail = `You have no account on hpc_one yet${words}. Ask an administrator to add one for user ${userId}.`;
  const { statusCode, body } = refusal(403, 'account-missing');
  return { statusCode, body: { ...Object(body), detail } };
}

describe('a submission whose token names an account', () => {
  it('runs as that account, without an administrator, and its estimate says so', async () => {
    expect((await estimate('ada.lovelace@example.org')).body).toMatchObject({
      account: 'ada.lovelace',
    });
    expect(table.writes()).toBe(0);
    expect((await send('ada.lovelace@example.org')).statusCode).toBe(201);
    expect(await listLogins()).toEqual(['ada.lovelace']);
  });

  it('runs as the account that an administrator entered, if there is one', async () => {
    await enter('grace');
    expect((await estimate('ada@example.org')).body).toMatchObject({ account: 'grace' });
    await send('ada@example.org');
    await send(undefined);
    await remove();
    await send('ada@example.org');
    expect((await listLogins()).sort()).toEqual(['ada', 'grace', 'grace']);
  });

  it('is refused in words, and so is its estimate, if the claim is missing or names no account', async () => {
    const shown = (claim: string) =>
      refused(`: your sign-in names '${claim}', which is not a name of an account there`);
    for (const ask of [send, estimate]) {
      expect(await ask(undefined)).toMatchObject(refused(''));
      expect(await ask('ada@elsewhere.org')).toMatchObject(shown('ada@elsewhere.org'));
      expect(await ask('root@example.org')).toMatchObject(shown('root@example.org'));
      expect(await ask('a'.repeat(500))).toMatchObject(shown(`${'a'.repeat(64)}...`));
    }
    expect(table.writes()).toBe(0);
    expect(storage.calls).toEqual([]);
  });

  it('means the same with another claim: its key knows it again, and nothing keeps the claim', async () => {
    const headers = { 'idempotency-key': 'a-key' };
    const log = captureLog();
    const first = await ask(
      submit,
      submission(hpcOne, { headers: { ...headers, ...asClaiming('ada@example.org') } }),
    );
    const again = await ask(
      submit,
      submission(hpcOne, { headers: { ...headers, ...asClaiming('eve@example.org') } }),
    );
    expect(again.body).toEqual(first.body);
    const gone = await ask(
      submit,
      submission(hpcOne, { headers: { ...headers, ...asClaiming(undefined) } }),
    );
    expect(gone.body).toEqual(first.body);
    expect(JSON.stringify(await table.list())).not.toContain('example.org');
    expect(log.join('\n')).not.toContain('example.org');
  });
});

describe('a batch whose token names an account', () => {
  const ofBatch = (mail: unknown) => ({
    ...submission(hpcOne, {
      path: `/batches/${hpcOne.hpc}/`,
      payload: { ...hpcOne.payload, count: 2 },
      headers: asClaiming(mail),
    }),
  });

  it('runs as that account, and its estimate says so', async () => {
    const told = await ask(submitBatch, { ...ofBatch('ada@example.org'), query: 'dry_run=true' });
    expect(told.body).toMatchObject({ account: 'ada' });
    expect((await ask(submitBatch, ofBatch('ada@example.org'))).statusCode).toBe(201);
    expect((await table.list()).filter(({ type }) => type === 'batch-order')).toMatchObject([
      { login: 'ada' },
    ]);
    expect(await ask(submitBatch, ofBatch('root@example.org'))).toMatchObject(
      refusal(403, 'account-missing'),
    );
  });
});

describe('two people whose tokens name one account', () => {
  const taken = (userId: UserId) =>
    refused(": your sign-in names 'ada', which belongs to another user of this service", userId);

  it('do not share it: the second is refused, until an administrator says otherwise', async () => {
    expect((await send('ada@example.org')).statusCode).toBe(201);
    expect((await send('ada@example.org')).statusCode).toBe(201);
    expect(await send('ada@example.org', otherUser)).toMatchObject(taken(otherUser));
    expect(await estimate('ada@example.org', otherUser)).toMatchObject(taken(otherUser));
    await enter('ada', path.replace(user, otherUser));
    expect((await send('ada@example.org', otherUser)).statusCode).toBe(201);
    expect(await send('ada@example.org')).toMatchObject(taken(user));
  });

  it('do not get one that an administrator has entered for the other, until it is free', async () => {
    await enter('ada', path.replace(user, otherUser));
    expect(await send('ada@example.org')).toMatchObject(taken(user));
    await remove(path.replace(user, otherUser));
    expect((await send('ada@example.org')).statusCode).toBe(201);
  });

  it('can exchange names, one after the other', async () => {
    await send('ada@example.org');
    await send('eve@example.org');
    expect((await send('ada@example.org', otherUser)).statusCode).toBe(201);
    expect(await send('ada@example.org')).toMatchObject(taken(user));
  });

  it('get it once, if they come at the same moment', async () => {
    const answers = await Promise.all([
      send('ada@example.org'),
      send('ada@example.org', otherUser),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403]);
  });
});

describe('GET /quotas/ with a token that names an account', () => {
  const get = (mail: unknown, userId = user) =>
    ask(readQuotas, { path: '/quotas/', headers: asClaiming(mail, userId) });
  const claimed = { PK: `USER#${user}`, SK: `CLAIMED#${hpcOne.hpc}` };

  it('notes it, so that it can be prepared before the first job', async () => {
    expect((await get('ada@example.org')).statusCode).toBe(200);
    expect(await table.read(claimed)).toMatchObject({ user, hpc: hpcOne.hpc, login: 'ada' });
  });

  it('answers as ever if the account is nothing or belongs to another', async () => {
    await send('eve@example.org', otherUser);
    expect((await get('eve@example.org')).statusCode).toBe(200);
    expect((await get('root@example.org')).statusCode).toBe(200);
    expect(await table.read(claimed)).toBeUndefined();
  });
});

describe('the claims of a caller', () => {
  it('are those from which the catalog takes accounts, if they are text', async () => {
    const check = createTokenVerifier({
      ISSUER: issuerName,
      AUDIENCE: audience,
      JWKS: issuer.jwks,
      USER_CLAIM: 'sub',
      USER_IDS: 'numeric',
      ADMIN_CLAIMS: 'groups',
      ADMIN_VALUE: 'slipway-admin',
    });
    const token = (mail: unknown) =>
      issuer.signToken({ ...goodClaims(), mail, department: 'physics' });
    const named = token('ada@example.org');
    const claims = { mail: 'ada@example.org' };
    expect(await check(named)).toEqual({ userId: user, administrator: false, claims });
    // The second time from memory.
    expect(await check(named)).toEqual({ userId: user, administrator: false, claims });
    for (const other of [undefined, null, 7, true, ['ada'], { name: 'ada' }]) {
      expect(await check(token(other))).toEqual({ userId: user, administrator: false });
    }
  });
});
