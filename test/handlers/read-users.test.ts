import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/read-users.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { profileEntry, profileItem, userBody } from '../fixtures/profiles.ts';
import {
  answer,
  invalidRequest,
  jsonHeaders,
  pathNotFound,
  problem,
  readResponse,
} from '../fixtures/responses.ts';
import { hpcOne, jobItem, otherUser, user } from '../fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(GetCommand).resolves({});
});

const get = (path: string, query = '') =>
  call(handler, { path, query, headers: asAdministrator() });

const bans = {
  banned: 'A loop went wrong.',
  project_bans: [{ hpc: 'hpc_one', project_name: 'proj_hpc_one_01', reason: 'Only here.' }],
  revision: 3,
};
const shownBans = {
  banned: 'A loop went wrong.',
  bans: [{ project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01', reason: 'Only here.' }],
};

describe('GET /admin/users/', () => {
  it('answers all users with their bans, from the registry and the table itself', async () => {
    table.on(QueryCommand).resolves({ Items: [profileEntry(), profileEntry(otherUser)] });
    table.on(BatchGetCommand).resolves({
      // In whatever order the table answers.
      Responses: { [tableName]: [profileItem(bans, otherUser), profileItem()] },
    });
    expect(readResponse(await get('/admin/users/'))).toEqual(
      answer(200, [userBody(), userBody(shownBans, otherUser)]),
    );
    expect(sentCommands(table)).toEqual([
      [
        'QueryCommand',
        {
          TableName: tableName,
          IndexName: 'registry',
          KeyConditionExpression: 'registry = :registry',
          ExpressionAttributeValues: { ':registry': 'REGISTRY#USERS' },
          Limit: 100,
        },
      ],
      [
        'BatchGetCommand',
        {
          RequestItems: {
            [tableName]: {
              Keys: [
                { PK: `USER#${user}`, SK: 'PROFILE' },
                { PK: `USER#${otherUser}`, SK: 'PROFILE' },
              ],
              ConsistentRead: true,
            },
          },
        },
      ],
    ]);
  });

  it('tells what each of them did lately, if it is asked to', async () => {
    table.on(QueryCommand).callsFake(({ IndexName }) => {
      if (IndexName === 'registry') return { Items: [profileEntry()] };
      return { Items: IndexName === 'jobs_by_id' ? [jobItem(hpcOne)] : [] };
    });
    table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [profileItem()] } });
    const activity = { last_submission: '2019-02-10T22:40:01Z', time_used: 0, jobs_ended: 0 };
    expect(readResponse(await get('/admin/users/', 'expand=activity'))).toEqual(
      answer(200, [userBody({ activity })]),
    );
    expect((await get('/admin/users/', 'expand=usage')).statusCode).toBe(400);
  });

  it('answers nobody where there is nobody, and reads no more', async () => {
    expect(readResponse(await get('/admin/users'))).toEqual(answer(200, []));
    expect(sentCommands(table)).toHaveLength(1);
  });

  it('leads on in Link, behind the last user, and takes that cursor and no other', async () => {
    table.on(QueryCommand).resolves({ Items: [profileEntry()], LastEvaluatedKey: profileEntry() });
    table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [profileItem()] } });
    const first = await get('/admin/users/', 'limit=1');
    expect(readResponse(first)).toEqual({
      statusCode: 200,
      headers: {
        ...jsonHeaders,
        link: expect.stringMatching(
          /^<https:\/\/slipway\.test\/admin\/users\/\?limit=1&cursor=306328\.[\w-]{22}>; rel="next"$/,
        ),
      },
      body: [userBody()],
    });
    const cursor = /cursor=([^>]+)/.exec(String(first.headers?.link))?.[1] ?? '';
    table.resetHistory();
    table.on(QueryCommand).resolves({ Items: [] });
    expect(readResponse(await get('/admin/users/', `cursor=${cursor}`))).toEqual(answer(200, []));
    expect(sentCommands(table)).toMatchObject([
      [
        'QueryCommand',
        {
          KeyConditionExpression: 'registry = :registry AND registry_key > :after',
          ExpressionAttributeValues: { ':after': `${user.padStart(32, '0')}#${user}` },
        },
      ],
    ]);
    const forged = cursor.replace('306328', '306329');
    expect(readResponse(await get('/admin/users/', `cursor=${forged}`))).toEqual(
      invalidRequest([
        { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
      ]),
    );
  });

  it.each(['limit=0', 'limit=101', 'page=2', 'user=1'])('answers 400 to %s', async (query) => {
    expect((await get('/admin/users/', query)).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });
});

describe('GET /admin/users/{user_id}/', () => {
  it('answers one user', async () => {
    table.on(GetCommand).resolves({ Item: profileItem(bans) });
    expect(readResponse(await get(`/admin/users/${user}/`))).toEqual(
      answer(200, userBody(shownBans)),
    );
    expect(sentCommands(table)).toEqual([
      [
        'GetCommand',
        { TableName: tableName, Key: { PK: `USER#${user}`, SK: 'PROFILE' }, ConsistentRead: true },
      ],
    ]);
  });

  it('answers 404 for somebody who was never seen', async () => {
    expect(readResponse(await get('/admin/users/7/'))).toEqual(
      problem({
        status: 404,
        slug: 'user-not-found',
        title: 'Unknown user',
        detail: "Unknown user '7'. GET /admin/users/ lists all users.",
      }),
    );
  });

  it.each(['/admin/users/alice/', '/admin/users/7/ban/', '/admin/users/7/x/'])(
    'answers that nothing is at %s, and reads nothing',
    async (path) => {
      const response = readResponse(await get(path));
      expect([404, 405]).toContain(response.statusCode);
      if (path.includes('alice')) expect(response).toEqual(pathNotFound);
      expect(sentCommands(table)).toEqual([]);
    },
  );
});
