import { beforeEach, describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { findRoute } from '#lib/http/routes/route.ts';
import { handlerOf } from '../fixtures/any-handler.ts';
import { withJson } from '../fixtures/api-event.ts';
import { ask, asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { projectName, userId } from '../fixtures/names.ts';
import { listPathForms } from '../fixtures/path-forms.ts';
import { requestItem } from '../fixtures/requests.ts';
import { invalidPart, refusal } from '../fixtures/responses.ts';
import { openedProject, projectItem, quotaItem } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { issuer } from '../setup/function-environment.ts';

const table = useTable();
mockStorage();

const leader = userId('501');
const stranger = userId('502');
/** A member of both shared projects, who leads neither. */
const member = userId('503');
/** A member by the group of the first shared project. */
const joined = userId('504');
const group = 'lab-42';
const own = { hpc: 'hpc_one', project: 'proj_hpc_one_01' };
const other = { hpc: 'hpc_two', project: 'proj_hpc_two_01' };
const ownShared = { hpc: 'hpc_two', project: 'lab_a' };
const otherShared = { hpc: 'hpc_two', project: 'lab_b' };

/** What the leader leads, two shared projects, and their members. */
const items = [
  ...[own, ownShared].map(leadItem),
  ...[ownShared, otherShared].flatMap((place) => [
    projectItem(sampleOf(place), { shared: true, members: { group } }),
    quotaItem(sampleOf(place), { user: member }),
  ]),
  { ...quotaItem(sampleOf(ownShared), { user: joined }), through_group: true },
  requestItem(),
];

function leadItem({ hpc, project }: typeof own) {
  const lead = { user: leader, hpc, project_name: project };
  const key = { PK: `USER#${leader}`, SK: `LEADS#${hpc}#${project}` };
  return { ...key, type: 'lead', schema_version: 1, ...lead };
}

function sampleOf({ project }: typeof own) {
  return { ...openedProject, project: projectName(project) };
}

beforeEach(() => table.hold(...items));

const refused = refusal(403, 'not-administrator');

const methods = ['GET', 'POST', 'PUT', 'DELETE'];
const adminPaths = [
  ...new Set(
    routeNames
      .filter((name) => ['leader', 'administrator'].includes(routes[name].access))
      .flatMap((name) => listPathForms(routes[name].paths)),
  ),
];

/** Every method at every administrators' path, with the slash at its end. */
const cells = adminPaths
  .filter((path) => path.endsWith('/'))
  .flatMap((path) => methods.map((method) => ({ method, path })))
  .filter(({ method, path }) => findRoute(routes, method, path) !== undefined);

const change = { reason: 'because', add: { time: 1 } };

async function send(as: UserId, method: string, path: string, query = '', body: object = change) {
  const name = findRoute(routes, method, path);
  if (name === undefined) throw new Error(`Nothing answers ${method} ${path}.`);
  const request = { method, path, headers: asUser(as), ...(query !== '' && { query }) };
  const sent = method === 'PUT' ? withJson(request, body) : request;
  return ask(handlerOf(name), sent);
}

describe('a leader', () => {
  it.each([
    ['/admin/quotas/', 'project'],
    ['/admin/requests/', 'project'],
    ['/admin/reports/usage/', 'project_name'],
  ])('names the project in the query of %s', async (path, parameter) => {
    const named = ({ hpc, project }: typeof own) => `hpc=${hpc}&${parameter}=${project}`;
    expect((await send(leader, 'GET', path, named(own))).statusCode).toBe(200);
    const wrong = [
      '',
      `hpc=${own.hpc}`,
      `${parameter}=${own.project}`,
      named(other),
      `hpc=${other.hpc}&${parameter}=${own.project}`,
      `${named(own)}&${named(other)}`,
      `${named(own)}&${parameter}=${other.project}`,
      `${named(other)}&project=${own.project}&project_name=${own.project}`,
    ];
    for (const query of wrong) {
      expect(await send(leader, 'GET', path, query), query).toMatchObject(refused);
      expect(await send(stranger, 'GET', path, query), query).toMatchObject(refused);
    }
  });

  it('does not name it in the query where the path could', async () => {
    const query = `hpc=${own.hpc}&project=${own.project}`;
    for (const path of ['/admin/jobs/', `/admin/jobs/${own.hpc}/`, '/admin/quotas/306328/']) {
      expect(await send(leader, 'GET', path, query)).toMatchObject(refused);
    }
  });

  it('may not say how a quota renews', async () => {
    const path = `/admin/quotas/306328/${own.hpc}/${own.project}/`;
    expect(await send(leader, 'PUT', path, '', { reason: 'because', renews: null })).toEqual(
      invalidPart('body', 'renews', 'Only administrators say how a quota renews. Leave it out.'),
    );
  });
});

describe('the budget of a project', () => {
  const projects = { own, other, ownShared, otherShared };
  const tokenOf = (user: UserId, groups: string[] = []) => ({
    authorization: `Bearer ${issuer.issueToken({ user, groups })}`,
  });
  const callers = {
    leader: tokenOf(leader),
    stranger: tokenOf(stranger),
    'stranger with the group': tokenOf(stranger, [group]),
    member: tokenOf(member),
    'member by the group': tokenOf(joined, [group]),
    'member whose group is gone': tokenOf(joined, ['another']),
  };

  /** Who may read the budget of which project, and its ledger. Everybody else is told the same. */
  const open = new Set([
    'leader, own, budget/',
    'leader, own, budget/ledger/',
    'leader, own, statement/',
    'leader, ownShared, budget/',
    'leader, ownShared, budget/ledger/',
    'leader, ownShared, statement/',
    'member, ownShared, budget/',
    'member, otherShared, budget/',
    'member by the group, ownShared, budget/',
  ]);

  it('is shown cell by cell to leaders, and to members who draw from it', async () => {
    for (const [who, headers] of Object.entries(callers)) {
      for (const [which, { hpc, project }] of Object.entries(projects)) {
        for (const what of ['budget/', 'budget/ledger/', 'statement/']) {
          const cell = `${who}, ${which}, ${what}`;
          const path = `/projects/${hpc}/${project}/${what}`;
          const response = await call(handlerOf('read-projects'), { path, headers });
          const { type } = JSON.parse(response.body ?? '{}');
          const isRefused = type === 'urn:slipway:problem:not-leader';
          expect({ cell, isRefused }).toEqual({ cell, isRefused: !open.has(cell) });
        }
      }
    }
  });

  it('does not open the administrators’ paths to a member, cell by cell', async () => {
    for (const { method, path } of cells) {
      for (const { hpc, project } of [ownShared, otherShared]) {
        const there = path.replace(own.hpc, hpc).replace(own.project, project);
        for (const each of [member, joined]) {
          expect(await send(each, method, there), there).toMatchObject(refused);
        }
      }
    }
  });
});
