import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/quotas/read-quotas.ts';
import { asUser, call } from '../fixtures/call.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { renewingItem } from '../fixtures/renewals.ts';
import {
  answer,
  invalidRequest,
  pathNotFound,
  projectNotFound,
  quotaNotFound,
  readResponse,
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
import { firstContact, numbersTaken, profileRead } from '../fixtures/submissions.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  projectRead,
  quotaQuery,
  quotaRead,
  sentCommands,
} from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(UpdateCommand).resolves({ Attributes: { value: 12 } });
  table.on(TransactWriteCommand).resolves({});
  table.on(QueryCommand).resolves({ Items: [] });
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

function get(path: string, query = '', headers = asUser()) {
  return call(handler, { path, query, headers });
}

describe('GET /quotas/', () => {
  it('answers 200 with all quotas of the caller in ascending project', async () => {
    const [one, two] = [{ id: 2, timeLeft: 17_887_678 }, { id: 1 }];
    const items = [
      quotaItem(secondProject, { id: 3 }),
      quotaItem(hpcTwo, two),
      quotaItem(hpcOne, one),
    ];
    table.on(QueryCommand).resolves({ Items: items });
    const response = await get('/quotas/');
    expect(readResponse(response)).toEqual(
      answer(200, [
        quotaBody(hpcOne, one),
        quotaBody(hpcTwo, two),
        quotaBody(secondProject, { id: 3 }),
      ]),
    );
    expect(sentCommands(table)).toEqual([quotaQuery('QUOTA#')]);
  });

  it('writes the body in the form of the contract, space as a float and time as an integer', async () => {
    table.on(GetCommand).resolves({ Item: profileItem() });
    table
      .on(QueryCommand)
      .resolves({ Items: [quotaItem(hpcOne, { id: 2, timeLeft: 17_887_678 })] });
    const response = await get('/quotas');
    expect(response.body).toBe(
      '[{"id":2,"project":1,"project_hpc":"HPC_ONE","project_name":"proj_hpc_one_01",' +
        '"space_left":10000000.0,"time_left":17887678,"user":"306328"}]',
    );
  });

  it('reads the partition of the caller', async () => {
    table.on(QueryCommand).resolves({ Items: [quotaItem(hpcOne, { user: otherUser })] });
    const response = await get('/quotas/hpc_one/', '', asUser(otherUser));
    expect(readResponse(response).body).toEqual([quotaBody(hpcOne, { user: otherUser })]);
    expect(sentCommands(table)).toEqual([quotaQuery('QUOTA#hpc_one#', otherUser)]);
  });

  it('welcomes a new user with a profile, two quotas and their grants, at once', async () => {
    const items = [quotaItem(hpcOne, { id: 11 }), quotaItem(hpcTwo, { id: 12 })];
    table
      .on(QueryCommand)
      .resolvesOnce({ Items: [] })
      .resolvesOnce({ Items: [] })
      .resolves({ Items: items });
    table.on(GetCommand).resolves({});
    const response = await get('/quotas/');
    expect(readResponse(response)).toEqual(
      answer(200, [quotaBody(hpcOne, { id: 11 }), quotaBody(hpcTwo, { id: 12 })]),
    );
    expect(sentCommands(table)).toEqual([
      quotaQuery('QUOTA#'),
      profileRead,
      quotaQuery('QUOTA#'),
      numbersTaken('quota', 2),
      ['TransactWriteCommand', { TransactItems: firstContact(submittedAt, 11) }],
      quotaQuery('QUOTA#'),
    ]);
  });

  it('answers the quotas that another call of the same moment has made', async () => {
    const items = [quotaItem(hpcOne), quotaItem(hpcTwo, { id: 2 })];
    table
      .on(QueryCommand)
      .resolvesOnce({ Items: [] })
      .resolvesOnce({ Items: [] })
      .resolves({ Items: items });
    table.on(GetCommand).resolvesOnce({}).resolves({ Item: profileItem() });
    table
      .on(TransactWriteCommand)
      .rejects(canceled([conditionFailed(), passed, passed, passed, passed]));
    const response = await get('/quotas/');
    expect(readResponse(response)).toEqual(
      answer(200, [quotaBody(hpcOne), quotaBody(hpcTwo, { id: 2 })]),
    );
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });

  it('gives a new user only what an administrator has not given before', async () => {
    const granted = quotaItem(hpcOne, { timeLeft: 5 });
    table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => ({
      Items: values[':quotas'] === 'QUOTA#' ? [granted] : [],
    }));
    table.on(GetCommand).resolves({});
    table.on(UpdateCommand).resolves({ Attributes: { value: 11 } });
    await get('/quotas/hpc_two/');
    const [profile, , , quota, grant] = firstContact(submittedAt, 10);
    expect(sentCommands(table)).toEqual([
      quotaQuery('QUOTA#hpc_two#'),
      profileRead,
      quotaQuery('QUOTA#'),
      numbersTaken('quota', 1),
      ['TransactWriteCommand', { TransactItems: [profile, quota, grant] }],
      quotaQuery('QUOTA#hpc_two#'),
    ]);
  });

  it('looks into the profile where a system is missing, and gives nothing back that was taken', async () => {
    table.on(QueryCommand).resolves({ Items: [quotaItem(hpcTwo)] });
    table.on(GetCommand).resolves({ Item: profileItem() });
    expect(readResponse(await get('/quotas/'))).toEqual(answer(200, [quotaBody(hpcTwo)]));
    expect(sentCommands(table)).toEqual([quotaQuery('QUOTA#'), profileRead, quotaQuery('QUOTA#')]);
  });

  it('answers an empty array to a known user from whom all quotas were taken', async () => {
    table.on(QueryCommand).resolves({ Items: [] });
    table.on(GetCommand).resolves({ Item: profileItem() });
    const response = await get('/quotas/');
    expect(readResponse(response)).toEqual(answer(200, []));
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(0);
  });
});

describe.each(systemSamples)('GET /quotas/{hpc}/ on $hpc', (sample) => {
  const { hpc, project, foreignProject, projectHpc } = sample;

  it('answers 200 with the quotas of the system', async () => {
    table.on(QueryCommand).resolves({ Items: [quotaItem(sample)] });
    const response = await get(`/quotas/${hpc}/`);
    expect(readResponse(response)).toEqual(answer(200, [quotaBody(sample)]));
    expect(sentCommands(table)).toEqual([quotaQuery(`QUOTA#${hpc}#`)]);
  });

  it('answers 200 with the one quota of the project', async () => {
    table.on(GetCommand).resolves({ Item: quotaItem(sample, { timeLeft: 1, spaceLeft: 0 }) });
    const response = await get(`/quotas/${hpc}/${project}/`);
    expect(readResponse(response)).toEqual(
      answer(200, quotaBody(sample, { timeLeft: 1, spaceLeft: 0 })),
    );
    expect(response.body).toContain('"space_left":0.0,"time_left":1,');
    expect(sentCommands(table)).toEqual([quotaRead(sample)]);
  });

  it('welcomes a new user who asks for one quota', async () => {
    table
      .on(GetCommand)
      .resolvesOnce({})
      .resolvesOnce({})
      .resolves({ Item: quotaItem(sample) });
    const response = await get(`/quotas/${hpc}/${project}`);
    expect(readResponse(response)).toEqual(answer(200, quotaBody(sample)));
    expect(sentCommands(table)).toEqual([
      quotaRead(sample),
      profileRead,
      quotaQuery('QUOTA#'),
      numbersTaken('quota', 2),
      ['TransactWriteCommand', { TransactItems: firstContact(submittedAt, 11) }],
      quotaRead(sample),
    ]);
  });

  it('answers 404 to a project of the other system', async () => {
    table.on(GetCommand).resolves({});
    const response = await get(`/quotas/${hpc}/${foreignProject}/`);
    expect(readResponse(response)).toEqual(projectNotFound(hpc, foreignProject));
    expect(sentCommands(table)).toEqual([projectRead(hpc, foreignProject)]);
  });

  it('answers 404 to the name of the system in upper case', async () => {
    const response = await get(`/quotas/${projectHpc}/`);
    expect(readResponse(response)).toEqual(systemNotFound(projectHpc));
  });
});

describe('GET /quotas/...?expand=usage', () => {
  const stored = {
    ...quotaItem(hpcOne, { timeLeft: 17_000_000, spaceLeft: 9_999_999 }),
    time_held: 400_000,
    time_used: 600_000,
    living_jobs: 3,
  };
  const usage =
    '"usage":{"time":{"granted":18000000,"left":17000000,"held":400000,"used":600000},' +
    '"space":{"granted":10000000.0,"left":9999999.0,"held":1.0,"used":0.0},' +
    '"living_jobs":3,"valid_until":null,"renews":null,"banned":null}';

  it('shows beside the fields of the contract where everything is', async () => {
    table
      .on(GetCommand)
      .callsFake(({ Key }) => ({ Item: Key.SK === 'PROFILE' ? profileItem() : stored }));
    table.on(QueryCommand).resolves({ Items: [stored] });
    const plain = await get('/quotas/hpc_one/proj_hpc_one_01/');
    const one = await get('/quotas/hpc_one/proj_hpc_one_01/', 'expand=usage');
    expect(one.body).toBe(`${plain.body?.slice(0, -1)},${usage}}`);
    for (const path of ['/quotas/', '/quotas/hpc_one/']) {
      expect((await get(path, 'expand=usage')).body).toBe(`[${one.body}]`);
    }
  });

  it.each([
    { bans: { banned_here: 'a loop' }, banned: 'a loop' },
    { bans: { banned_everywhere: 'left' }, banned: 'left' },
    { bans: { banned_here: 'a loop', banned_everywhere: 'left' }, banned: 'left' },
  ])('shows why and until when: $banned', async ({ bans, banned }) => {
    const Item = { ...stored, ...bans, valid_until: '2027-01-01T00:00:00.000Z' };
    table.on(GetCommand).resolves({ Item });
    const { body } = readResponse(await get('/quotas/hpc_one/proj_hpc_one_01/', 'expand=usage'));
    expect(body).toMatchObject({ usage: { valid_until: '2027-01-01T00:00:00Z', banned } });
  });
});

describe('GET /quotas/...?expand=usage of a quota that renews', () => {
  const renewing = renewingItem('2027-01-15T00:00:00.000Z', {
    on: 15,
    to: { seconds: 3600, kilobytes: 10 },
    carry_over: { seconds: 0, kilobytes: 0 },
  });

  it.each([
    { ends: 'never', change: {}, next: '"2027-01-15T00:00:00Z"' },
    { ends: 'before', change: { valid_until: '2027-01-15T00:00:00.000Z' }, next: 'null' },
  ])('says how, and when next: it ends $ends', async ({ change, next }) => {
    table.on(GetCommand).resolves({ Item: { ...renewing, ...change } });
    const { body } = await get('/quotas/hpc_one/proj_hpc_one_01/', 'expand=usage');
    expect(body).toContain(
      '"renews":{"every":"monthly","on":15,"to":{"time":3600,"space":10.0},' +
        `"carry_over":{"time":0,"space":0.0},"next":${next}}`,
    );
  });
});

describe('GET /quotas/..., refused', () => {
  it('answers 404 to a quota that the caller does not have', async () => {
    table
      .on(GetCommand)
      .callsFake(({ Key }) => (Key.SK === 'PROFILE' ? { Item: profileItem() } : {}));
    const response = await get('/quotas/hpc_two/proj_hpc_two_02/');
    expect(readResponse(response)).toEqual(quotaNotFound('hpc_two', 'proj_hpc_two_02'));
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(0);
  });

  it.each([
    '/quotas//',
    '/quotas/hpc_one//',
    '/quotas/hpc_one/proj_hpc_one_01/x/',
    '/quotas/hpc_one/proj_hpc_one_01/Ledger/',
    '/quotas/hpc_one/proj_hpc_one_01/ledger/x/',
    '/quotas/hpc_one/ledger//',
  ])('answers 404 to %s', async (path) => {
    expect(readResponse(await get(path))).toEqual(pathNotFound);
    expect(sentCommands(table)).toEqual([]);
  });

  it.each([
    {
      query: 'user=1',
      name: 'user',
      message: 'Unknown parameter. Known parameters: expand.',
    },
    { query: 'expand=ledger', name: 'expand', message: 'It must be usage.' },
    { query: 'expand=', name: 'expand', message: 'It must be usage.' },
    {
      query: 'expand=usage&expand=usage',
      name: 'expand',
      message: 'It is given twice. Send it once.',
    },
  ])('answers 400 to ?$query, and reads nothing', async ({ query, name, message }) => {
    for (const path of ['/quotas/', '/quotas/hpc_one/', '/quotas/hpc_one/proj_hpc_one_01/']) {
      const response = await get(path, query);
      expect(readResponse(response)).toEqual(
        invalidRequest([{ location: 'query', name, message }]),
      );
    }
    expect(sentCommands(table)).toEqual([]);
  });
});
