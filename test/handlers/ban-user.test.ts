import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as ban } from '#functions/admin/change-user.ts';
import { handler as unban } from '#functions/admin/clear-user.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { profileItem, userBody } from '../fixtures/profiles.ts';
import { answer, invalidRequest, quotaNotFound, readResponse } from '../fixtures/responses.ts';
import {
  administrator,
  hpcOne,
  hpcTwo,
  quotaItem,
  secondProject,
  user,
} from '../fixtures/samples.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';

const table = mockTable();
const reason = 'A loop went wrong.';
const ownPath = `/admin/users/${user}/ban/`;
const projectPath = `${ownPath}${hpcOne.hpc}/${hpcOne.project}/`;

let profile: Record<string, unknown> | undefined;
let quotas: Record<string, unknown>[];

beforeEach(() => {
  table.reset();
  profile = profileItem();
  quotas = [quotaItem(hpcOne), quotaItem(hpcTwo, { id: 2 })];
  table.on(GetCommand).callsFake(() => ({ Item: profile }));
  table.on(QueryCommand).callsFake(() => ({ Items: quotas }));
  table.on(TransactWriteCommand).resolves({});
});

function put(path: string, body: unknown, query = '') {
  const headers = { ...asAdministrator(), 'content-type': 'application/json' };
  const text = Buffer.from(JSON.stringify(body));
  return call(ban, { method: 'PUT', path, query, headers, body: text });
}

function remove(path: string, query = '', body?: string) {
  const json = { 'content-type': 'application/json' };
  return call(unban, {
    method: 'DELETE',
    path,
    query,
    headers: { ...asAdministrator(), ...(body !== undefined && json) },
    ...(body !== undefined && { body: Buffer.from(body) }),
  });
}

const transactions = () =>
  table.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input.TransactItems);

function copied(sample: { hpc: string; project: string }, change: object) {
  return {
    Update: {
      TableName: tableName,
      Key: { PK: `USER#${user}`, SK: `QUOTA#${sample.hpc}#${sample.project}` },
      ConditionExpression: expect.any(String),
      ExpressionAttributeNames: expect.any(Object),
      ...change,
    },
  };
}

function act(kind: string, place: object, ban: object, why = reason) {
  return {
    Put: {
      TableName: tableName,
      Item: {
        PK: expect.stringMatching(/^AUDIT#\d{4}-\d\d$/),
        SK: expect.stringMatching(/^\d{4}-.*Z#[0-9a-f-]{36}$/),
        type: 'act',
        schema_version: 1,
        act_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind,
        at: expect.any(String),
        by: administrator,
        reason: why,
        user,
        hpc: undefined,
        project_name: undefined,
        job_id: undefined,
        details: { ban },
        ...place,
      },
      ConditionExpression: expect.any(String),
    },
  };
}

const inProject = { hpc: hpcOne.hpc, project_name: hpcOne.project };

describe('PUT /admin/users/{user_id}/ban/', () => {
  it('bans from everything: profile, all quotas and the audit in one transaction', async () => {
    expect(readResponse(await put(ownPath, { reason: ` ${reason} ` }))).toEqual(
      answer(200, userBody({ banned: reason })),
    );
    const copy = {
      UpdateExpression: 'SET #banned_everywhere = :banned_everywhere REMOVE #banned_here',
      ExpressionAttributeValues: { ':banned_everywhere': reason },
    };
    expect(transactions()).toEqual([
      [
        {
          Update: {
            TableName: tableName,
            Key: { PK: `USER#${user}`, SK: 'PROFILE' },
            UpdateExpression:
              'SET #revision = :revision, #project_bans = :project_bans, #banned = :banned',
            ConditionExpression: expect.any(String),
            ExpressionAttributeNames: expect.any(Object),
            ExpressionAttributeValues: { ':revision': 1, ':project_bans': [], ':banned': reason },
          },
        },
        copied(hpcOne, copy),
        copied(hpcTwo, copy),
        act('user-banned', {}, { before: null, after: reason }),
      ],
    ]);
  });

  it('bans from one project, and leaves the others and the other ban', async () => {
    profile = profileItem({ banned: 'Everywhere.', revision: 4 });
    quotas = quotas.map((quota) => ({ ...quota, banned_everywhere: 'Everywhere.' }));
    expect(readResponse(await put(projectPath, { reason }))).toEqual(
      answer(
        200,
        userBody({
          banned: 'Everywhere.',
          bans: [{ project_hpc: 'HPC_ONE', project_name: hpcOne.project, reason }],
        }),
      ),
    );
    const [steps = []] = transactions();
    expect(steps[0]).toMatchObject({
      Update: {
        ExpressionAttributeValues: {
          ':seen_revision': 4,
          ':revision': 5,
          ':banned': 'Everywhere.',
          ':project_bans': [{ hpc: 'hpc_one', project_name: hpcOne.project, reason }],
        },
      },
    });
    expect(steps.slice(1)).toEqual([
      copied(hpcOne, {
        UpdateExpression:
          'SET #banned_here = :banned_here, #banned_everywhere = :banned_everywhere',
        ExpressionAttributeValues: {
          ':banned_here': reason,
          ':banned_everywhere': 'Everywhere.',
        },
      }),
      act('user-banned', inProject, { before: null, after: reason }),
    ]);
  });

  it('writes nothing where the same ban is there already', async () => {
    profile = profileItem({ banned: reason, revision: 1 });
    quotas = quotas.map((quota) => ({ ...quota, banned_everywhere: reason }));
    expect(readResponse(await put(ownPath, { reason }))).toEqual(
      answer(200, userBody({ banned: reason })),
    );
    expect(transactions()).toEqual([]);
  });

  it('mends a quota that does not carry the ban', async () => {
    profile = profileItem({ banned: reason, revision: 1 });
    await put(ownPath, { reason });
    expect(transactions()[0]).toHaveLength(4);
  });

  it('decides again where the profile changed meanwhile, or a quota went', async () => {
    const nothing = [passed, passed, passed];
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled([conditionFailed(), ...nothing]))
      .rejectsOnce(canceled([passed, conditionFailed(), passed, passed]))
      .resolves({});
    expect((await put(ownPath, { reason })).statusCode).toBe(200);
    expect(transactions()).toHaveLength(3);
  });

  it('gives up where it always changes, with 503', async () => {
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed, passed]));
    expect((await put(ownPath, { reason })).statusCode).toBe(503);
    expect(transactions()).toHaveLength(50);
  });

  it('welcomes somebody who was never seen before the ban', async () => {
    profile = undefined;
    table.on(UpdateCommand).resolves({ Attributes: { value: 11 } });
    table.on(TransactWriteCommand).callsFake(() => {
      profile = profileItem();
      return {};
    });
    quotas = [];
    expect((await put(ownPath, { reason })).statusCode).toBe(200);
    const [welcome = [], banned = []] = transactions();
    expect(welcome).toHaveLength(5);
    expect(banned[0]).toMatchObject({ Update: { Key: { SK: 'PROFILE' } } });
  });

  it('answers 404 where there is no quota in the project', async () => {
    const { hpc, project } = secondProject;
    const response = await put(`${ownPath}${hpc}/${project}/`, { reason });
    expect(readResponse(response)).toEqual(quotaNotFound(hpc, project));
    expect(transactions()).toEqual([]);
  });

  it.each([
    { what: 'no reason', body: {} },
    { what: 'an empty reason', body: { reason: '  ' } },
    { what: 'a long reason', body: { reason: 'x'.repeat(501) } },
    { what: 'control characters', body: { reason: 'a\u0007b' } },
    { what: 'no text', body: { reason: 7 } },
    { what: 'an unknown field', body: { reason, until: 'tomorrow' } },
  ])('answers 400 to $what, and reads nothing', async ({ body }) => {
    expect((await put(ownPath, body)).statusCode).toBe(400);
    expect((await put(ownPath, { reason }, 'reason=x')).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });

  it('takes a reason of 500 characters, also beyond ASCII', async () => {
    expect((await put(ownPath, { reason: `${'é'.repeat(499)}🚀` })).statusCode).toBe(200);
  });

  it.each([`${ownPath}${hpcOne.hpc}/`, `/admin/users/${user}/`, '/admin/users/'])(
    'is not at %s',
    async (path) => {
      expect([404, 405]).toContain((await put(path, { reason })).statusCode);
      expect(sentCommands(table)).toEqual([]);
    },
  );
});

describe('DELETE /admin/users/{user_id}/ban/', () => {
  beforeEach(() => {
    const projectBan = { hpc: hpcOne.hpc, project_name: hpcOne.project, reason: 'Here.' };
    profile = profileItem({ banned: reason, project_bans: [projectBan], revision: 7 });
    quotas = [
      { ...quotaItem(hpcOne), banned_here: 'Here.', banned_everywhere: reason },
      { ...quotaItem(hpcTwo, { id: 2 }), banned_everywhere: reason },
    ];
  });
  const shown = { project_hpc: 'HPC_ONE', project_name: hpcOne.project, reason: 'Here.' };

  it('lifts the ban from everything and leaves that from a project', async () => {
    expect(readResponse(await remove(ownPath, 'reason=It+is+mended.'))).toEqual(
      answer(200, userBody({ bans: [shown] })),
    );
    const [steps = []] = transactions();
    expect(steps[0]).toMatchObject({
      Update: {
        UpdateExpression: 'SET #revision = :revision, #project_bans = :project_bans REMOVE #banned',
      },
    });
    expect(steps.slice(1)).toEqual([
      copied(hpcOne, {
        UpdateExpression: 'SET #banned_here = :banned_here REMOVE #banned_everywhere',
        ExpressionAttributeValues: { ':banned_here': 'Here.' },
      }),
      copied(hpcTwo, { UpdateExpression: 'REMOVE #banned_here, #banned_everywhere' }),
      act('user-unbanned', {}, { before: reason, after: null }, 'It is mended.'),
    ]);
  });

  it('lifts the ban from a project and leaves that from everything', async () => {
    const body = JSON.stringify({ reason: 'It is mended.' });
    expect(readResponse(await remove(projectPath, '', body))).toEqual(
      answer(200, userBody({ banned: reason })),
    );
    const [steps = []] = transactions();
    expect(steps.slice(1)).toEqual([
      copied(hpcOne, {
        UpdateExpression: 'SET #banned_everywhere = :banned_everywhere REMOVE #banned_here',
        ExpressionAttributeValues: { ':banned_everywhere': reason },
      }),
      act('user-unbanned', inProject, { before: 'Here.', after: null }, 'It is mended.'),
    ]);
  });

  it('lifts a ban whose quota is gone', async () => {
    quotas = [];
    expect(readResponse(await remove(projectPath, 'reason=x'))).toEqual(
      answer(200, userBody({ banned: reason })),
    );
  });

  it('writes nothing where there is no ban', async () => {
    profile = profileItem();
    quotas = [quotaItem(hpcOne)];
    expect(readResponse(await remove(ownPath, 'reason=x'))).toEqual(answer(200, userBody()));
    expect(readResponse(await remove(projectPath, 'reason=x'))).toEqual(answer(200, userBody()));
    expect(transactions()).toEqual([]);
  });

  it('answers 404, as described, where there is neither a quota nor a ban in the project', async () => {
    const { hpc, project } = secondProject;
    const response = await remove(`${ownPath}${hpc}/${project}/`, 'reason=x');
    expect(readResponse(response)).toEqual(quotaNotFound(hpc, project));
    expect(transactions()).toEqual([]);
  });

  it('answers 404 for somebody who was never seen, and creates nobody', async () => {
    profile = undefined;
    expect(readResponse(await remove(ownPath, 'reason=x'))).toMatchObject({
      statusCode: 404,
      body: { type: 'urn:slipway:problem:user-not-found' },
    });
    expect(transactions()).toEqual([]);
  });

  it('needs a reason, once', async () => {
    const message = 'It is required: say why, with ?reason=... or with JSON in the body.';
    expect(readResponse(await remove(ownPath))).toEqual(
      invalidRequest([{ location: 'query', name: 'reason', message }]),
    );
    const twice = 'It is given twice, here and in the body. Send only one.';
    expect(readResponse(await remove(ownPath, 'reason=a', '{"reason": "b"}'))).toEqual(
      invalidRequest([{ location: 'query', name: 'reason', message: twice }]),
    );
    expect((await remove(ownPath, 'reason=')).statusCode).toBe(400);
    expect((await remove(ownPath, '', '{}')).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });
});
