import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as clearUser } from '#functions/admin/clear-user.ts';
import { handler as readUsers } from '#functions/admin/read-users.ts';
import { handler as readQuotas } from '#functions/quotas/read-quotas.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem, userBody } from '../fixtures/profiles.ts';
import { requestItem } from '../fixtures/requests.ts';
import { answer, refusal } from '../fixtures/responses.ts';
import {
  administrator,
  hpcOne,
  hpcTwo,
  jobItem,
  lifeItem,
  otherUser,
  quotaItem,
  user,
} from '../fixtures/samples.ts';
import { deliveryItem, secret, webhookBody, webhookId, webhookItem } from '../fixtures/webhooks.ts';
import { issuer } from '../setup/function-environment.ts';

const table = useTable();
holdClock('2026-11-15T08:30:00Z');
const at = '2026-11-15T08:30:00Z';
const back = '2026-12-15T08:30:00Z';
const path = `/admin/users/${user}/person/`;
const reason = 'She has left.';
const person = { name: 'Ada Lovelace', email: 'ada@example.org' };
const traces = /ada|lovelace|app\.example\.org|whsec/i;
const stays = [
  'jobs',
  'quotas',
  'ledgers',
  'reports',
  'requests',
  'audit',
  'bans',
  'leads',
  'subject',
];

const ofUser = (SK: string, type: string, more: object) => ({
  PK: `USER#${user}`,
  SK,
  type,
  schema_version: 1,
  user,
  ...more,
});

const startItem = (start: string) =>
  ofUser(`NAMED#${start}`, 'name-start', {
    registry: 'REGISTRY#PEOPLE',
    registry_key: `${start}#${user.padStart(32, '0')}#${user}`,
  });

const holderItem = (login: string, owner: string) => ({
  PK: `LOGIN#hpc_one#${login}`,
  SK: 'HOLDER',
  type: 'login-holder',
  schema_version: 1,
  user: owner,
  hpc: 'hpc_one',
  login,
});

/** What erasing removes. */
const personal = [
  ...['ada lovelace', 'lovelace', 'ada@example.org'].map(startItem),
  ofUser('NOTIFICATIONS', 'notifications', {
    email: 'ada@example.org',
    waiting_email: 'ada@home.example',
    asked_at: [],
    events: ['job.ended'],
    digest: 'daily',
    changed_at: '2026-11-01T00:00:00.000Z',
  }),
  ofUser('MAILBOX', 'mailbox', {
    due: 'DUE#MAIL#1',
    due_at: '2026-11-15T09:00:00.000Z',
    confirm: 'ada@home.example',
  }),
  webhookItem,
  deliveryItem,
  ...Array.from({ length: 120 }, (_, index) => ({
    ...deliveryItem,
    SK: `2026-01-02T00:00:00.000Z#x-${index}`,
    event_id: `x-${index}`,
  })),
  ofUser('LOGIN#hpc_one', 'login', { hpc: 'hpc_one', login: 'ada' }),
  ofUser('CLAIMED#hpc_one', 'claimed-login', { hpc: 'hpc_one', login: 'ada' }),
  ofUser('CLAIMED#hpc_two', 'claimed-login', { hpc: 'hpc_two', login: 'lovelace' }),
  holderItem('ada', user),
];

const request = requestItem();

/** What stays with the number. */
const numbered = [
  quotaItem(hpcOne),
  quotaItem(hpcTwo, { id: 2 }),
  jobItem(hpcOne),
  lifeItem(hpcOne),
  request,
  ofUser('LEADS#hpc_one#proj_hpc_one_01', 'lead', {
    hpc: 'hpc_one',
    project_name: 'proj_hpc_one_01',
  }),
];

const count = ofUser('WEBHOOKS', 'webhook-count', { webhooks: 1 });

beforeEach(() =>
  table.hold(
    profileItem({ ...person, banned: 'asked to stop', revision: 3 }),
    ...personal,
    ...numbered,
    count,
  ),
);

const erase = (where = path) =>
  ask(clearUser, { method: 'DELETE', path: where, headers: asAdministrator() }, { reason });

const acts = async () =>
  (await table.list('AUDIT#')).map(({ kind, by, reason, user, details }) => ({
    kind,
    by,
    reason,
    user,
    details,
  }));

describe('DELETE /admin/users/{user_id}/person/', () => {
  it('leaves nothing of the person in the table, and all that the number has done', async () => {
    const removed = ['name', 'email', 'mail', 'webhooks', 'accounts'];
    expect(await erase()).toEqual(
      answer(200, { user, erased: at, names_return: back, removed, stays }),
    );
    const left = await table.list();
    for (const item of left) expect(JSON.stringify(item)).not.toMatch(traces);
    expect(left.filter(({ PK }) => !String(PK).startsWith('AUDIT#'))).toHaveLength(
      numbered.length + 2,
    );
    for (const item of numbered) expect(await table.read(item)).toEqual(item);
    expect(await table.read(profileItem())).toEqual(
      profileItem({
        banned: 'asked to stop',
        revision: 3,
        erased_at: '2026-11-15T08:30:00.000Z',
      }),
    );
    expect(await table.read(count)).toMatchObject({ webhooks: 0 });
    const details = { removed: removed.join(', ') };
    expect(await acts()).toEqual([
      { kind: 'user-erased', by: administrator, reason, user, details },
    ]);
  });

  it('does nothing the second time, and removes what has come since', async () => {
    await erase();
    const writes = table.writes();
    expect((await erase()).body).toMatchObject({ erased: at, removed: [] });
    expect(table.writes()).toBe(writes);
    await table.hold({ ...webhookItem }, { ...count });
    vi.setSystemTime('2026-11-20T08:30:00Z');
    expect((await erase()).body).toMatchObject({
      erased: '2026-11-20T08:30:00Z',
      removed: ['webhooks'],
    });
    expect(await acts()).toHaveLength(2);
  });

  it('notes somebody of whom nothing is kept, so that no open sign-in names them', async () => {
    await table.hold(profileItem({}, otherUser));
    const { body } = await erase(`/admin/users/${otherUser}/person/`);
    expect(body).toMatchObject({ user: otherUser, removed: [] });
    expect(await acts()).toMatchObject([{ user: otherUser, details: { removed: null } }]);
  });

  it("leaves somebody else's account to them", async () => {
    await table.hold(holderItem('ada', otherUser));
    await erase();
    expect(await table.read(holderItem('ada', otherUser))).toMatchObject({ user: otherUser });
  });

  it('answers 404 for a user whom the service has not seen, and 400 without a reason', async () => {
    expect(await erase('/admin/users/31/person/')).toMatchObject(refusal(404, 'user-not-found'));
    const headers = asAdministrator();
    expect((await ask(clearUser, { method: 'DELETE', path, headers })).statusCode).toBe(400);
    expect(table.writes()).toBe(0);
    expect(table.mock.commandCalls(DeleteCommand)).toEqual([]);
  });
});

describe('a token that names an erased person', () => {
  const claims = { ...person, email_verified: 'true' };
  const sign = () => ({ authorization: `Bearer ${issuer.issueToken({ user, claims })}` });

  it('brings the name back after 30 days, and not before', async () => {
    await erase();
    vi.setSystemTime('2026-12-15T08:29:59Z');
    await ask(readQuotas, { path: '/quotas/', headers: sign() });
    expect(await table.read(profileItem())).not.toHaveProperty('name');
    vi.setSystemTime('2026-12-16T08:30:00Z');
    await ask(readQuotas, { path: '/quotas/', headers: sign() });
    expect(await table.read(profileItem())).toMatchObject(person);
    const headers = asAdministrator();
    const { body } = await ask(readUsers, { path: `/admin/users/${user}/`, headers });
    expect(body).toEqual(userBody({ ...person, erased: at, banned: 'asked to stop' }));
  });
});

describe('GET /admin/users/{user_id}/export/', () => {
  const get = (id: string) =>
    ask(readUsers, { path: `/admin/users/${id}/export/`, headers: asAdministrator() });

  it('answers what is kept about a person, without secrets', async () => {
    const { statusCode, body } = await get(user);
    expect(statusCode).toBe(200);
    expect(body).toMatchObject({
      user: userBody({ ...person, banned: 'asked to stop' }),
      accounts: [{ user, hpc: 'hpc_one', account: 'ada' }],
      claimed_accounts: [
        { user, hpc: 'hpc_one', account: 'ada' },
        { user, hpc: 'hpc_two', account: 'lovelace' },
      ],
      leads: [{ project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' }],
      quotas: [{ project_hpc: 'HPC_ONE', usage: {} }, { project_hpc: 'HPC_TWO' }],
      requests: [{ request_id: request.request_id, reason: request.reason }],
      notifications: {
        email: 'ada@example.org',
        unconfirmed_email: 'ada@home.example',
        events: ['job.ended'],
        digest: 'daily',
      },
      webhooks: [webhookBody],
      lists: {
        jobs: `/admin/jobs/?user=${user}`,
        ledgers: [
          `/admin/quotas/${user}/hpc_one/proj_hpc_one_01/ledger/`,
          `/admin/quotas/${user}/hpc_two/${hpcTwo.project}/ledger/`,
        ],
        usage: `/admin/reports/usage/?user=${user}`,
        audit: `/admin/audit/?user=${user}`,
        acts: `/admin/audit/?by=${user}`,
      },
    });
    expect(JSON.stringify(body)).toContain(webhookId);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('answers all requests, however many pages they are', async () => {
    const many = Array.from({ length: 230 }, (_, index) => {
      const id = `${user}-${String(index).padStart(32, '0')}`;
      return { ...request, SK: `ASKED#${id}`, request_id: id };
    });
    await table.hold(...many);
    expect(Object((await get(user)).body).requests).toHaveLength(231);
  });

  it('answers 404 for a user whom the service has not seen', async () => {
    expect(await get('31')).toMatchObject(refusal(404, 'user-not-found'));
  });
});
