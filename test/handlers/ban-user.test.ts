import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as ban } from '#functions/admin/change-user.ts';
import { handler as unban } from '#functions/admin/clear-user.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem, userBody } from '../fixtures/profiles.ts';
import { answer, quotaNotFound, refusal } from '../fixtures/responses.ts';
import {
  administrator,
  hpcOne,
  hpcTwo,
  quotaItem,
  secondProject,
  user,
} from '../fixtures/samples.ts';
import { sentTransactions } from '../fixtures/table-mock.ts';

const table = useTable();
const reason = 'A loop went wrong.';
const ownPath = `/admin/users/${user}/ban/`;
const projectPath = `${ownPath}${hpcOne.hpc}/${hpcOne.project}/`;
const quotas = [quotaItem(hpcOne), quotaItem(hpcTwo, { id: 2 })];

const put = (path: string, body: unknown, query = '') =>
  ask(ban, { method: 'PUT', path, query, headers: asAdministrator() }, body);

async function remove(path: string, query = '', body?: unknown) {
  const request = { method: 'DELETE', path, query, headers: asAdministrator() };
  return ask(unban, request, body);
}

/** The bans that the quotas carry, each from its project and from everything. */
const carried = async () =>
  (await table.list(`USER#${user}`))
    .filter(({ type }) => type === 'quota')
    .map(({ banned_here, banned_everywhere }) => [banned_here, banned_everywhere]);

const acts = () => table.list('AUDIT#');
const inProject = { hpc: hpcOne.hpc, project_name: hpcOne.project };

describe('PUT /admin/users/{user_id}/ban/', () => {
  beforeEach(() => table.hold(profileItem(), ...quotas));

  it('bans from everything: profile, all quotas and the audit in one transaction', async () => {
    expect(await put(ownPath, { reason: ` ${reason} ` })).toEqual(
      answer(200, userBody({ banned: reason })),
    );
    expect(await table.read(profileItem())).toEqual(
      profileItem({ banned: reason, project_bans: [], revision: 1 }),
    );
    expect(await carried()).toEqual([
      [undefined, reason],
      [undefined, reason],
    ]);
    const details = { ban: { before: null, after: reason } };
    const told = { kind: 'user-banned', by: administrator, reason, user, details };
    expect(await acts()).toEqual([expect.objectContaining(told)]);
    expect((await acts())[0]).not.toHaveProperty('hpc');
    expect(table.writes()).toBe(1);
  });

  it('bans from one project, and leaves the others and the other ban', async () => {
    await put(ownPath, { reason: 'Everywhere.' });
    const bans = [{ project_hpc: 'HPC_ONE', project_name: hpcOne.project, reason }];
    expect(await put(projectPath, { reason })).toEqual(
      answer(200, userBody({ banned: 'Everywhere.', bans })),
    );
    expect(await table.read(profileItem())).toMatchObject({
      revision: 2,
      banned: 'Everywhere.',
      project_bans: [{ ...inProject, reason }],
    });
    expect(await carried()).toEqual([
      [reason, 'Everywhere.'],
      [undefined, 'Everywhere.'],
    ]);
    expect((await acts())[1]).toMatchObject({ kind: 'user-banned', ...inProject });
  });

  it('writes nothing where the same ban is there already, and mends a quota without it', async () => {
    await put(ownPath, { reason });
    expect(await put(ownPath, { reason })).toEqual(answer(200, userBody({ banned: reason })));
    expect(table.writes()).toBe(1);
    await table.hold(...quotas);
    await put(ownPath, { reason });
    expect(await carried()).toEqual([
      [undefined, reason],
      [undefined, reason],
    ]);
  });

  it('answers 404 where there is no quota in the project', async () => {
    const { hpc, project } = secondProject;
    expect(await put(`${ownPath}${hpc}/${project}/`, { reason })).toEqual(
      quotaNotFound(hpc, project),
    );
    expect(table.writes()).toBe(0);
  });

  it('answers 400 to any other body and to a query, and reads nothing', async () => {
    const reasons = [undefined, '  ', 'x'.repeat(501), 'a\u0007b', 7];
    for (const body of [...reasons.map((each) => ({ reason: each })), { reason, until: 'x' }]) {
      expect((await put(ownPath, body)).statusCode, JSON.stringify(body)).toBe(400);
    }
    expect((await put(ownPath, { reason }, 'reason=x')).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });

  it('takes a reason of 500 characters, also beyond ASCII', async () => {
    expect((await put(ownPath, { reason: `${'é'.repeat(499)}🚀` })).statusCode).toBe(200);
  });
});

describe('DELETE /admin/users/{user_id}/ban/', () => {
  const here = { project_hpc: 'HPC_ONE', project_name: hpcOne.project, reason: 'Here.' };

  beforeEach(() =>
    table.hold(
      profileItem({
        banned: reason,
        project_bans: [{ ...inProject, reason: 'Here.' }],
        revision: 7,
      }),
      { ...quotaItem(hpcOne), banned_here: 'Here.', banned_everywhere: reason },
      { ...quotaItem(hpcTwo, { id: 2 }), banned_everywhere: reason },
    ),
  );

  it.each([
    {
      from: 'everything and leaves that from a project',
      lift: () => remove(ownPath, 'reason=It+is+mended.'),
      shown: { bans: [here] },
      left: [
        ['Here.', undefined],
        [undefined, undefined],
      ],
      act: { details: { ban: { before: reason, after: null } } },
    },
    {
      from: 'a project and leaves that from everything',
      lift: () => remove(projectPath, '', { reason: 'It is mended.' }),
      shown: { banned: reason },
      left: [
        [undefined, reason],
        [undefined, reason],
      ],
      act: { ...inProject, details: { ban: { before: 'Here.', after: null } } },
    },
  ])('lifts the ban from $from', async ({ lift, shown, left, act }) => {
    expect(await lift()).toEqual(answer(200, userBody(shown)));
    expect(await carried()).toEqual(left);
    const told = { kind: 'user-unbanned', by: administrator, reason: 'It is mended.', user };
    expect(await acts()).toMatchObject([{ ...told, ...act }]);
    expect(table.writes()).toBe(1);
  });

  it('lifts a ban whose quota is gone', async () => {
    await table.drop(quotaItem(hpcOne));
    expect(await remove(projectPath, 'reason=x')).toEqual(
      answer(200, userBody({ banned: reason })),
    );
  });

  it('writes nothing where there is no ban', async () => {
    await table.hold(profileItem(), ...quotas);
    expect(await remove(ownPath, 'reason=x')).toEqual(answer(200, userBody()));
    expect(await remove(projectPath, 'reason=x')).toEqual(answer(200, userBody()));
    expect(table.writes()).toBe(0);
  });

  it('answers 404, as described, where there is neither a quota nor a ban in the project', async () => {
    const { hpc, project } = secondProject;
    expect(await remove(`${ownPath}${hpc}/${project}/`, 'reason=x')).toEqual(
      quotaNotFound(hpc, project),
    );
    expect(table.writes()).toBe(0);
  });

  it('answers 404 for somebody who was never seen, and creates nobody', async () => {
    expect(await remove('/admin/users/7/ban/', 'reason=x')).toMatchObject(
      refusal(404, 'user-not-found'),
    );
    expect(table.writes()).toBe(0);
  });

  it('needs a reason, once, and reads nothing without', async () => {
    expect((await remove(ownPath)).statusCode).toBe(400);
    expect((await remove(ownPath, 'reason=a', { reason: 'b' })).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });
});

describe('on a mocked table', () => {
  beforeEach(() => {
    table.mock.on(GetCommand).resolves({ Item: profileItem({ banned: 'Before.', revision: 4 }) });
    table.mock
      .on(QueryCommand)
      .resolves({ Items: [{ ...quotaItem(hpcOne), banned_everywhere: 'Before.' }] });
    table.mock.on(TransactWriteCommand).resolves({});
  });

  it.each([
    ['a ban', () => put(ownPath, { reason })],
    ['a lifted ban', () => remove(ownPath, 'reason=x')],
  ])('%s is one transaction over the profile that was read', async (_, change) => {
    expect((await change()).statusCode).toBe(200);
    const profile = { ExpressionAttributeValues: { ':seen_revision': 4, ':revision': 5 } };
    expect(sentTransactions(table.mock)).toMatchObject([
      [{ Update: profile }, { Update: {} }, { Put: {} }],
    ]);
  });

  it('a refused request sends none', async () => {
    const path = `${ownPath}hpc_two/${secondProject.project}/`;
    expect((await put(path, { reason })).statusCode).toBe(404);
    expect((await remove(path, 'reason=x')).statusCode).toBe(404);
    expect(sentTransactions(table.mock)).toEqual([]);
  });
});
