import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler } from '#functions/quotas/read-quotas.ts';
import { ask, asUser, call } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { renewingItem } from '../fixtures/renewals.ts';
import {
  answer,
  invalidPart,
  pathNotFound,
  projectNotFound,
  quotaNotFound,
  systemNotFound,
} from '../fixtures/responses.ts';
import {
  hpcOne,
  hpcTwo,
  otherUser,
  quotaBody,
  quotaItem,
  secondProject,
  submittedAt,
  systemSamples,
} from '../fixtures/samples.ts';
import { projectRead, quotaQuery, quotaRead, sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
holdClock(submittedAt);

const get = (path: string, query = '', headers = asUser()) =>
  ask(handler, { path, query, headers });

/** The body as it is written, for the forms of its numbers. */
const getText = async (path: string, query = '') =>
  (await call(handler, { path, query, headers: asUser() })).body;

const project = '/quotas/hpc_one/proj_hpc_one_01/';

describe('GET /quotas/', () => {
  it('answers 200 with all quotas of the caller in ascending project', async () => {
    await table.hold(
      quotaItem(secondProject, { id: 3 }),
      quotaItem(hpcTwo, { id: 1 }),
      quotaItem(hpcOne, { id: 2, timeLeft: 17_887_678 }),
      quotaItem(hpcOne, { user: otherUser }),
    );
    expect(await get('/quotas/')).toEqual(
      answer(200, [
        quotaBody(hpcOne, { id: 2, timeLeft: 17_887_678 }),
        quotaBody(hpcTwo, { id: 1 }),
        quotaBody(secondProject, { id: 3 }),
      ]),
    );
    expect(table.sent()).toEqual(['Query']);
    expect((await get('/quotas/hpc_one/', '', asUser(otherUser))).body).toEqual([
      quotaBody(hpcOne, { user: otherUser }),
    ]);
  });

  it('writes the body in the form of the contract, space as a float and time as an integer', async () => {
    await table.hold(profileItem(), quotaItem(hpcOne, { id: 2, timeLeft: 17_887_678 }));
    expect(await getText('/quotas')).toBe(
      '[{"id":2,"project":1,"project_hpc":"HPC_ONE","project_name":"proj_hpc_one_01",' +
        '"space_left":10000000.0,"time_left":17887678,"user":"306328"}]',
    );
  });

  it.each([
    ['/quotas/', [quotaBody(hpcOne, { id: 1 }), quotaBody(hpcTwo, { id: 2 })]],
    ['/quotas/hpc_two/', [quotaBody(hpcTwo, { id: 2 })]],
    ['/quotas/hpc_one/proj_hpc_one_01', quotaBody(hpcOne, { id: 1 })],
  ])(
    'welcomes a new user at %s with a profile, two quotas and their grants, at once',
    async (path, body) => {
      expect(await get(path)).toEqual(answer(200, body));
      const { PK, SK } = profileItem();
      expect(await table.read({ PK, SK })).toMatchObject({ first_seen: submittedAt.toISOString() });
      expect((await table.list('LEDGER#')).map(({ kind, reason }) => [kind, reason])).toEqual([
        ['grant', 'first contact'],
        ['grant', 'first contact'],
      ]);
      expect(table.sent().slice(-3)).toEqual([
        'UpdateItem',
        'TransactWriteItems',
        path.includes('proj') ? 'GetItem' : 'Query',
      ]);
    },
  );

  it('gives nothing back to a known user from whom it was taken', async () => {
    await table.hold(profileItem());
    expect(await get('/quotas/')).toEqual(answer(200, []));
    await table.hold(quotaItem(hpcTwo));
    expect(await get('/quotas/')).toEqual(answer(200, [quotaBody(hpcTwo)]));
    expect(await get('/quotas/hpc_two/proj_hpc_two_02/')).toEqual(
      quotaNotFound('hpc_two', 'proj_hpc_two_02'),
    );
    expect(table.writes()).toBe(0);
  });
});

describe.each(systemSamples)('GET /quotas/{hpc}/ on $hpc', (sample) => {
  const { hpc, foreignProject, projectHpc } = sample;

  it('answers 200 with the quotas of the system: on a mocked table', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [quotaItem(sample)] });
    expect(await get(`/quotas/${hpc}/`)).toEqual(answer(200, [quotaBody(sample)]));
    expect(sentCommands(table.mock)).toEqual([quotaQuery(`QUOTA#${hpc}#`)]);
  });

  it('answers 200 with the one quota of the project: on a mocked table', async () => {
    const facts = { timeLeft: 1, spaceLeft: 0 };
    table.mock.on(GetCommand).resolves({ Item: quotaItem(sample, facts) });
    const path = `/quotas/${hpc}/${sample.project}/`;
    expect(await get(path)).toEqual(answer(200, quotaBody(sample, facts)));
    expect(sentCommands(table.mock)).toEqual([quotaRead(sample)]);
    expect(await getText(path)).toContain('"space_left":0.0,"time_left":1,');
  });

  it('answers 404 to a project of the other system, and to upper case: on a mocked table', async () => {
    table.mock.on(GetCommand).resolves({});
    const foreign = await get(`/quotas/${hpc}/${foreignProject}/`);
    expect(foreign).toEqual(projectNotFound(hpc, foreignProject));
    expect(await get(`/quotas/${projectHpc}/`)).toEqual(systemNotFound(projectHpc));
    expect(sentCommands(table.mock)).toEqual([projectRead(hpc, foreignProject)]);
  });
});

describe('GET /quotas/...?expand=usage', () => {
  const stored = {
    ...quotaItem(hpcOne, { timeLeft: 17_000_000, spaceLeft: 9_999_999 }),
    time_held: 400_000,
    time_used: 600_000,
    living_jobs: 3,
  };

  it('shows beside the fields of the contract where everything is', async () => {
    await table.hold(profileItem(), stored);
    const plain = await getText(project);
    const usage =
      '"usage":{"time":{"granted":18000000,"left":17000000,"held":400000,"used":600000},' +
      '"space":{"granted":10000000.0,"left":9999999.0,"held":1.0,"used":0.0},' +
      '"living_jobs":3,"valid_until":null,"renews":null,"banned":null}';
    const one = `${plain?.slice(0, -1)},${usage}}`;
    expect(await getText(project, 'expand=usage')).toBe(one);
    expect(await getText('/quotas/', 'expand=usage')).toBe(`[${one}]`);
    expect(await getText('/quotas/hpc_one/', 'expand=usage')).toBe(`[${one}]`);
  });

  it.each([
    { bans: { banned_here: 'a loop' }, banned: 'a loop' },
    { bans: { banned_everywhere: 'left' }, banned: 'left' },
    { bans: { banned_here: 'a loop', banned_everywhere: 'left' }, banned: 'left' },
  ])('shows why and until when: $banned', async ({ bans, banned }) => {
    await table.hold({ ...stored, ...bans, valid_until: '2027-01-01T00:00:00.000Z' });
    const usage = { valid_until: '2027-01-01T00:00:00Z', banned };
    expect((await get(project, 'expand=usage')).body).toMatchObject({ usage });
  });

  it.each([
    { ends: 'never', change: {}, next: '"2027-01-15T00:00:00Z"' },
    { ends: 'before', change: { valid_until: '2027-01-15T00:00:00.000Z' }, next: 'null' },
  ])('says how it renews, and when next: it ends $ends', async ({ change, next }) => {
    const rule = {
      on: 15,
      to: { seconds: 3600, kilobytes: 10 },
      carry_over: { seconds: 0, kilobytes: 0 },
    };
    await table.hold({ ...renewingItem('2027-01-15T00:00:00.000Z', rule), ...change });
    expect(await getText(project, 'expand=usage')).toContain(
      '"renews":{"every":"monthly","on":15,"to":{"time":3600,"space":10.0},' +
        `"carry_over":{"time":0,"space":0.0},"next":${next}}`,
    );
  });
});

describe('GET /quotas/..., refused', () => {
  it.each([
    '/quotas//',
    '/quotas/hpc_one//',
    `${project}x/`,
    `${project}Ledger/`,
    `${project}ledger/x/`,
  ])('answers 404 to %s', async (path) => {
    expect(await get(path)).toEqual(pathNotFound);
    expect(table.sent()).toEqual([]);
  });

  it.each([
    ['user=1', 'user', 'Unknown parameter. Known parameters: expand.'],
    ['expand=ledger', 'expand', 'It must be usage.'],
    ['expand=', 'expand', 'It must be usage.'],
    ['expand=usage&expand=usage', 'expand', 'It is given twice. Send it once.'],
  ])('answers 400 to ?%s, and reads nothing', async (query, name, message) => {
    for (const path of ['/quotas/', '/quotas/hpc_one/', project]) {
      expect(await get(path, query)).toEqual(invalidPart('query', name, message));
    }
    expect(table.sent()).toEqual([]);
  });
});
