import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/read-users.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem, userBody } from '../fixtures/profiles.ts';
import { answer, invalidPart, nextCursor, refusal } from '../fixtures/responses.ts';
import { hpcOne, jobItem, otherUser, user } from '../fixtures/samples.ts';
import { sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();

const get = (path: string, query = '') => ask(handler, { path, query, headers: asAdministrator() });

const place = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };
const bans = {
  banned: 'A loop went wrong.',
  project_bans: [{ ...place, reason: 'Only here.' }],
  revision: 3,
};
const shownBans = {
  banned: 'A loop went wrong.',
  bans: [{ project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01', reason: 'Only here.' }],
};
const userNotFound = refusal(404, 'user-not-found');

describe('GET /admin/users/', () => {
  beforeEach(() => table.hold(profileItem(bans, otherUser), profileItem()));

  it('answers all users with their bans, from the registry and the table itself', async () => {
    expect(await get('/admin/users/')).toEqual(
      answer(200, [userBody(), userBody(shownBans, otherUser)]),
    );
    expect(table.sent()).toEqual(['Query', 'BatchGetItem']);
  });

  it('tells what each of them did lately, if it is asked to', async () => {
    await table.hold(jobItem(hpcOne));
    const activity = { last_submission: '2019-02-10T22:40:01Z', time_used: 0, jobs_ended: 0 };
    const { body } = await get('/admin/users/', 'expand=activity&limit=1');
    expect(body).toEqual([userBody({ activity })]);
    expect((await get('/admin/users/', 'expand=usage')).statusCode).toBe(400);
  });

  it('answers nobody where there is nobody, and reads no more', async () => {
    await table.drop(profileItem());
    await table.drop(profileItem({}, otherUser));
    expect(await get('/admin/users')).toEqual(answer(200, []));
    expect(table.sent()).toEqual(['Query']);
  });

  it('leads on in Link, behind the last user, and takes that cursor and no other', async () => {
    const first = await get('/admin/users/', 'limit=1');
    const cursor = nextCursor(first);
    expect(cursor).toMatch(/^306328\.[\w-]{22}$/);
    const link = `<https://slipway.test/admin/users/?limit=1&cursor=${cursor}>; rel="next"`;
    expect(first).toEqual(answer(200, [userBody()], { link }));
    expect(await get('/admin/users/', `cursor=${cursor}`)).toEqual(
      answer(200, [userBody(shownBans, otherUser)]),
    );
    const forged = cursor.replace('306328', '306329');
    expect(await get('/admin/users/', `cursor=${forged}`)).toEqual(
      invalidPart('query', 'cursor', 'It does not belong to this list.'),
    );
  });

  it.each(['limit=0', 'limit=101', 'page=2', 'user=1'])('answers 400 to %s', async (query) => {
    expect((await get('/admin/users/', query)).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });
});

describe('GET /admin/users/{user_id}/', () => {
  it('answers one user', async () => {
    await table.hold(profileItem(bans));
    expect(await get(`/admin/users/${user}/`)).toEqual(answer(200, userBody(shownBans)));
  });

  it('reads the profile alone: on a mocked table', async () => {
    table.mock.on(GetCommand).resolvesOnce({ Item: profileItem() }).resolves({});
    expect(await get('/admin/users/7/')).toEqual(answer(200, userBody()));
    expect(await get('/admin/users/7/')).toMatchObject(userNotFound);
    const read = ['GetCommand', { Key: { PK: 'USER#7', SK: 'PROFILE' }, ConsistentRead: true }];
    expect(sentCommands(table.mock)).toMatchObject([read, read]);
  });
});
