import { beforeEach, describe, expect, it } from 'vitest';
import { handler as readAllJobs } from '#functions/admin/read-all-jobs.ts';
import { handler as readAudit } from '#functions/admin/read-audit.ts';
import { handler as readAllQuotas } from '#functions/admin/read-quotas.ts';
import { handler as readUsers } from '#functions/admin/read-users.ts';
import { handler as readProjects } from '#functions/catalog/read-projects.ts';
import { handler as readQuotas } from '#functions/quotas/read-quotas.ts';
import { handler as readReport } from '#functions/reports/read-usage-report.ts';
import { handler as readAllRequests } from '#functions/requests/read-all-requests.ts';
import { leadersKey } from '#lib/table/keys.ts';
import { asAdministrator, ask, asUser, call } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { projectName } from '../fixtures/names.ts';
import { profileItem, userBody } from '../fixtures/profiles.ts';
import { requestItem } from '../fixtures/requests.ts';
import { answer, invalidPart } from '../fixtures/responses.ts';
import {
  hpcOne,
  jobItem,
  lifeItem,
  otherUser,
  quotaBody,
  quotaItem,
  systemSamples,
  user,
} from '../fixtures/samples.ts';
import { issuer } from '../setup/function-environment.ts';

const table = useTable();
holdClock('2026-11-15T08:30:00Z');

const claims = { name: 'Ada Lovelace', email: 'ada@example.org', email_verified: 'true' };
const person = { name: 'Ada Lovelace', email: 'ada@example.org' };
const project = 'hpc=hpc_one&project=proj_hpc_one_01';

const headersSaying = (more: Readonly<Record<string, string>>) => ({
  authorization: `Bearer ${issuer.issueToken({ user, claims: more })}`,
});

describe('a token with a name', () => {
  const quotas = systemSamples.map((sample) => quotaItem(sample));
  beforeEach(() => table.hold(profileItem(), ...quotas));

  const list = (headers: Record<string, string>) => ask(readQuotas, { path: '/quotas/', headers });

  it('names its user with the first list of quotas, and costs nothing from then on', async () => {
    const headers = headersSaying(claims);
    expect((await list(headers)).statusCode).toBe(200);
    expect(table.sent()).toEqual(['Query', 'GetItem', 'TransactWriteItems']);
    expect(await table.read(profileItem())).toMatchObject(person);
    const starts = ['ada lovelace', 'lovelace', 'ada@example.org'].map(startItem);
    for (const start of starts) expect(await table.read(start)).toEqual(start);
    expect((await list(headers)).statusCode).toBe(200);
    expect(table.sent()).toEqual(['Query', 'GetItem', 'TransactWriteItems', 'Query']);
  });

  it('names its user in the answer for administrators, and in no other', async () => {
    await list(headersSaying({ ...claims, name: 'Ada \u202eKing' }));
    expect(
      await ask(readUsers, { path: `/admin/users/${user}/`, headers: asAdministrator() }),
    ).toEqual(answer(200, userBody({ ...person, name: 'Ada King' })));
    const own = await list(headersSaying(claims));
    expect(own.body).toEqual(systemSamples.map((sample) => quotaBody(sample)));
  });

  it('changes nothing without claims', async () => {
    await list(asUser());
    expect(table.sent()).toEqual(['Query']);
  });
});

describe('the lists of administrators', () => {
  const get = (handler: typeof readUsers, path: string, query = '') =>
    ask(handler, { path, query, headers: asAdministrator() });

  beforeEach(async () => {
    await table.hold(
      profileItem(person),
      profileItem({}, otherUser),
      ...['ada lovelace', 'lovelace', 'ada@example.org'].map(startItem),
      quotaItem(hpcOne),
      quotaItem(hpcOne, { user: otherUser }),
      jobItem(hpcOne),
      lifeItem(hpcOne),
    );
  });

  it('find users by the beginning of a name or an address', async () => {
    const found = answer(200, [userBody(person)]);
    for (const search of ['LOVE', 'ada%20love', 'ada@ex']) {
      expect(await get(readUsers, '/admin/users/', `search=${search}`)).toEqual(found);
    }
    expect(await get(readUsers, '/admin/users/', 'search=lace')).toEqual(answer(200, []));
    expect(await get(readUsers, '/admin/users/', 'search=ada&cursor=x')).toEqual(
      invalidPart(
        'query',
        'cursor',
        'It cannot be used with search, which has one page. Search for more letters.',
      ),
    );
    expect((await get(readUsers, '/admin/users/', 'search=%20')).statusCode).toBe(400);
  });

  it('of quotas name members if asked to, and find them in one project', async () => {
    const plain = [quotaBody(hpcOne), quotaBody(hpcOne, { user: otherUser })];
    const named = { ...quotaBody(hpcOne), name: 'Ada Lovelace' };
    const list = (query: string) => get(readAllQuotas, '/admin/quotas/', query);
    expect((await list(project)).body).toEqual(plain);
    expect((await list(`${project}&names=true`)).body).toEqual([named, plain[1]]);
    expect((await list(`${project}&names=true&search=love`)).body).toEqual([named]);
    expect((await list('search=love')).statusCode).toBe(400);
    expect((await list(`${project}&user=${otherUser}&search=love`)).statusCode).toBe(400);
  });

  it('find nobody in a project who has no quota there', async () => {
    await table.drop(quotaItem(hpcOne));
    expect(await get(readAllQuotas, '/admin/quotas/', `${project}&search=love`)).toEqual(
      answer(200, []),
    );
  });

  it('of jobs name owners if asked to', async () => {
    const path = '/admin/jobs/hpc_one/proj_hpc_one_01/';
    const named = { owner: user, owner_name: 'Ada Lovelace' };
    expect((await get(readAllJobs, path, 'names=true')).body).toEqual([
      expect.objectContaining(named),
    ]);
    expect((await get(readAllJobs, path)).body).toEqual([
      expect.not.objectContaining({ owner_name: expect.anything() }),
    ]);
    const one = `${path}${hpcOne.jobId}/`;
    expect((await get(readAllJobs, one, 'names=true')).body).toMatchObject(named);
    expect((await get(readAllJobs, one)).body).not.toHaveProperty('owner_name');
  });

  it('of requests always say who asks', async () => {
    await table.hold(requestItem());
    const { body } = await get(readAllRequests, '/admin/requests/');
    expect(body).toMatchObject([{ user, name: 'Ada Lovelace' }]);
  });

  it('that are reports have names only if asked to, in tables too', async () => {
    await table.hold(usageItem(user), usageItem(otherUser));
    const report = async (query: string, accept = 'text/csv') =>
      (
        await call(readReport, {
          path: '/admin/reports/usage/',
          query: `by=user${query}`,
          headers: { ...asAdministrator(), accept },
        })
      ).body;
    expect(await report('')).toMatch(/^user,time_used,/);
    expect(await report('&names=true')).toMatch(
      /^user,name,time_used,.*\r\n306328,Ada Lovelace,7200,.*\r\n\d+,,7200,/,
    );
    expect(JSON.parse(`${await report('&names=true', 'application/json')}`)).toMatchObject([
      { user, name: 'Ada Lovelace' },
      { user: otherUser, name: null },
    ]);
  });
});

describe('what is kept of projects and acts', () => {
  const get = async (handler: typeof readUsers, path: string, query = '') =>
    (await ask(handler, { path, query, headers: asAdministrator() })).body;
  const place = `/projects/hpc_one/${hpcOne.project}`;
  const names = 'names=true';

  beforeEach(() => table.hold(profileItem(person), quotaItem(hpcOne), leadersItem(), actItem()));

  it('names leaders for leaders and administrators, if asked to', async () => {
    const [plain, named] = [{ leaders: [user, otherUser] }, { [user]: 'Ada Lovelace' }];
    const path = `${place}/budget/`;
    expect(await get(readProjects, path)).not.toHaveProperty('leader_names');
    expect(await get(readProjects, path, names)).toMatchObject({ ...plain, leader_names: named });
  });

  it('names the members in a statement, and its table, if asked to', async () => {
    const path = `${place}/statement/`;
    const rows = async (query = '') => Object(await get(readProjects, path, query)).rows;
    expect(await rows()).toMatchObject([{ user }]);
    expect((await rows())[0]).not.toHaveProperty('name');
    expect(await rows(names)).toMatchObject([{ user, name: 'Ada Lovelace' }]);
    const headers = { ...asAdministrator(), accept: 'text/csv' };
    const table = async (query = '') => (await call(readProjects, { path, query, headers })).body;
    expect(await table()).not.toContain('Ada');
    expect(await table(names)).toMatch(/,month,user,name,time_opening,.*,306328,Ada Lovelace,/s);
  });

  it('names both sides of an act, if asked to', async () => {
    const [plain] = Array.from(Object(await get(readAudit, '/admin/audit/')));
    expect(plain).not.toHaveProperty('by_name');
    expect(await get(readAudit, '/admin/audit/', names)).toMatchObject([
      { by: user, by_name: 'Ada Lovelace', user: otherUser },
    ]);
    await table.hold(profileItem({ name: 'Grace Hopper' }, otherUser));
    expect(await get(readAudit, '/admin/audit/', names)).toMatchObject([{ name: 'Grace Hopper' }]);
  });
});

function leadersItem() {
  const place = { hpc: hpcOne.hpc, project: projectName(hpcOne.project) };
  const leaders = [user, otherUser];
  return { ...leadersKey(place), type: 'leaders', schema_version: 1, leaders, revision: 1 };
}

function actItem() {
  const at = '2026-11-03T08:30:00.500Z';
  const act = { act_id: 'a', at, kind: 'user-banned', reason: 'x', details: {} };
  const key = { PK: 'AUDIT#2026-11', SK: `${at}#a` };
  return { ...key, type: 'act', schema_version: 1, ...act, by: user, user: otherUser };
}

/** A beginning that the user is found by, as the table holds it. */
function startItem(start: string) {
  return {
    PK: `USER#${user}`,
    SK: `NAMED#${start}`,
    registry: 'REGISTRY#PEOPLE',
    registry_key: `${start}#${user.padStart(32, '0')}#${user}`,
    type: 'name-start',
    schema_version: 1,
    user,
  };
}

const none = '00000'.repeat(65);

function usageItem(owner: string) {
  return {
    PK: 'USAGE#USERS#2026-11',
    SK: `${owner.padStart(32, '0')}#${owner}#hpc_one#proj_hpc_one_01`,
    type: 'usage-sum',
    schema_version: 1,
    hpc: 'hpc_one',
    project_name: 'proj_hpc_one_01',
    user: owner,
    time: '2026-11',
    used: 7200,
    asked: 14_400,
    jobs: 5,
    failed: 1,
    cancelled: 1,
    waited: none,
    ran: none,
  };
}
