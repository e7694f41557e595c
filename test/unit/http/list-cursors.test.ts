import { describe, expect, it } from 'vitest';
import {
  acts,
  type CursorForm,
  createCursors,
  everybodysJobs,
  ledgerLines,
  ownJobs,
  quotas,
  requests,
  users,
} from '#lib/http/parsers/queries/cursors.ts';
import type { JobList } from '#lib/jobs/read/job-list.ts';
import type { RequestList } from '#lib/requests/list-requests.ts';
import { requestId as nameRequest, projectName, systemName } from '#test/fixtures/names.ts';
import { problemsOf } from '#test/fixtures/problems-of.ts';
import { otherUser, user } from '#test/fixtures/samples.ts';

const requestId = nameRequest('306328-01a1de53db405c6a1f0e9b7d4c21a3f0');

const signer = createCursors('a secret', ownJobs);
const list: JobList = {
  owner: user,
  hpc: systemName('hpc_one'),
  project: projectName('proj_hpc_one_01'),
  order: 'asc',
  filter: { failed: false, since: new Date('2026-01-31') },
};
const cursor = signer.sign(list, 80) ?? '';

const refusal = [
  { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
];

describe('a cursor', () => {
  it.each([0, 1, 80, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER])('brings %d back', (id) => {
    expect(signer.verify(list, signer.sign(list, id))).toBe(id);
  });

  it('goes into an address as it is', () => {
    expect(cursor).toMatch(/^28\.[\w-]{22}$/);
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it('is good for an equal list and an equal secret', () => {
    const again = { ...list, filter: { failed: false, since: new Date('2026-01-31') } };
    expect(createCursors('a secret', ownJobs).verify(again, cursor)).toBe(80);
  });

  const others: { what: string; other: JobList }[] = [
    { what: 'owner', other: { ...list, owner: otherUser } },
    { what: 'system', other: { ...list, hpc: systemName('hpc_two') } },
    { what: 'project', other: { ...list, project: undefined } },
    { what: 'path', other: { ...list, hpc: undefined, project: undefined } },
    { what: 'order', other: { ...list, order: 'desc' } },
    { what: 'filter', other: { ...list, filter: {} } },
    { what: 'flag', other: { ...list, filter: { ...list.filter, failed: true } } },
    {
      what: 'moment',
      other: { ...list, filter: { ...list.filter, since: new Date('2026-02-01') } },
    },
    { what: 'title', other: { ...list, filter: { ...list.filter, titleContains: 'x' } } },
  ];

  it.each(others)('is refused for another $what', ({ other }) => {
    expect(problemsOf(() => signer.verify(other, cursor))).toEqual(refusal);
  });

  it('is refused where it was signed with another secret', () => {
    const stolen = createCursors('another secret', ownJobs).sign(list, 80);
    expect(problemsOf(() => signer.verify(list, stolen))).toEqual(refusal);
  });

  it("of an administrator's list is refused for the same list of a caller", () => {
    const administrators = createCursors('a secret', everybodysJobs).sign(list, 80);
    expect(problemsOf(() => signer.verify(list, administrators))).toEqual(refusal);
  });

  it.each([
    { state: 'declined' as const },
    { hpc: systemName('hpc_two') },
    { project: projectName('proj_hpc_one_02') },
  ])('of requests is refused for a list with another %o', (change) => {
    const { hpc, project } = list;
    const wanted: RequestList = { state: 'open', hpc, project };
    const ofRequests = createCursors('a secret', requests);
    const signed = ofRequests.sign(wanted, requestId);
    expect(ofRequests.verify({ ...wanted }, signed)).toBe(requestId);
    expect(problemsOf(() => ofRequests.verify({ ...wanted, ...change }, signed))).toEqual(refusal);
  });

  it('is none of a last page, and none is the beginning', () => {
    expect(signer.sign(list, undefined)).toBeUndefined();
    expect(signer.verify(list, undefined)).toBeUndefined();
  });

  it('is refused with another position', () => {
    const moved = cursor.replace(/^28/, '29');
    expect(problemsOf(() => signer.verify(list, moved))).toEqual(refusal);
  });

  it('is refused in every truncated form', () => {
    for (let length = 0; length < cursor.length; length += 1) {
      const truncated = cursor.slice(0, length);
      expect(problemsOf(() => signer.verify(list, truncated))).toEqual(refusal);
    }
  });

  it.each([
    '',
    '.',
    '28',
    'abc',
    `28.${'A'.repeat(22)}`,
    `.${'A'.repeat(22)}`,
    `-1.${'A'.repeat(22)}`,
    `${cursor}A`,
    ` ${cursor}`,
    `${cursor}\n`,
    'é'.repeat(25),
    '\u0000',
    'x'.repeat(100_000),
  ])('is refused where it is made up: %j', (made) => {
    expect(problemsOf(() => signer.verify(list, made))).toEqual(refusal);
  });
});

/** Signs a place and reads it back. */
const carry =
  <List, Position>(form: CursorForm<List, Position>, list: List, position: Position) =>
  () => {
    const cursors = createCursors('a secret', form);
    const signed = cursors.sign(list, position);
    return { signed, back: cursors.verify(list, signed), position };
  };

const account = { user, hpc: systemName('hpc_one'), project: projectName('proj_hpc_one_01') };
const ledger = { ...account, since: undefined, until: new Date('2026-01-31') };
const key = 'ACT#2026-01-31T08:00:00.000Z#a b';

/** Such cursors are on their way while a new version of the service takes over. */
const places = [
  { what: 'jobs', text: '28.sZvHtaqPC5YjvBiPHCLJYA', carried: carry(ownJobs, list, 80) },
  {
    what: "everybody's jobs",
    text: '28.u-k0VOgQl1i462kwjMZ4yQ',
    carried: carry(everybodysJobs, list, 80),
  },
  { what: 'users', text: '306328.rEACj2MKkQ4CvhYN7WZCmQ', carried: carry(users, undefined, user) },
  {
    what: 'acts',
    text: 'QUNUIzIwMjYtMDEtMzFUMDg6MDA6MDAuMDAwWiNhIGI.1WIBWgNt-XgWUZNraAWRbg',
    carried: carry(acts, { filter: {} }, key),
  },
  {
    what: 'quotas',
    text: '2-306328.KNeF7w37W10skohHxyofLQ',
    carried: carry(quotas, { ...account, user: undefined }, { project: 2, user }),
  },
  {
    what: 'a ledger',
    text: 'WyJvZiDDqSIsLTEsMC41XQ.LIOPytyhJ2_P3o3w1r1EGg',
    carried: carry(ledgerLines, ledger, { key: 'of é', left: { seconds: -1, kilobytes: 0.5 } }),
  },
];

describe('a place in a list', () => {
  it.each(places)('of $what is written as ever, and comes back as it was', (place) => {
    const { signed, back, position } = place.carried();
    expect(signed).toBe(place.text);
    expect(back).toEqual(position);
  });

  it('that names no user is a fault of ours, for only we can have signed it', () => {
    const odd = createCursors('a secret', { ...users, write: () => 'nobody' });
    const cursors = createCursors('a secret', users);
    expect(() => cursors.verify(undefined, odd.sign(undefined, user))).toThrow(
      /names an invalid user/,
    );
  });

  it.each([
    { what: 'user', other: { ...ledger, user: otherUser } },
    { what: 'system', other: { ...ledger, hpc: systemName('hpc_two') } },
    { what: 'project', other: { ...ledger, project: projectName('a') } },
    { what: 'beginning', other: { ...ledger, since: new Date('2026-01-01') } },
    { what: 'end', other: { ...ledger, until: undefined } },
  ])("of a ledger is none of another $what's", ({ other }) => {
    const cursors = createCursors('a secret', ledgerLines);
    const signed = cursors.sign(ledger, { key: 'a', left: { seconds: 1, kilobytes: 1 } });
    expect(problemsOf(() => cursors.verify(other, signed))).toEqual(refusal);
  });

  it.each([
    { what: 'administrator', other: { filter: { by: user } } },
    { what: 'user', other: { filter: { user } } },
    { what: 'kind', other: { filter: { kind: 'quota-granted' as const } } },
    { what: 'beginning', other: { filter: {}, since: new Date('2026-01-01') } },
    { what: 'end', other: { filter: {}, until: new Date('2026-01-01') } },
  ])('of the audit is none of another $what', ({ other }) => {
    const cursors = createCursors('a secret', acts);
    const signed = cursors.sign({ filter: {} }, key);
    expect(problemsOf(() => cursors.verify(other, signed))).toEqual(refusal);
  });

  it.each([
    { hpc: systemName('hpc_two'), project: account.project, user: undefined },
    { hpc: account.hpc, project: undefined, user: undefined },
    { hpc: undefined, project: undefined, user: undefined },
    { hpc: account.hpc, project: account.project, user },
  ])('of quotas belongs to no other filter: $hpc $project $user', (other) => {
    const cursors = createCursors('a secret', quotas);
    const signed = cursors.sign({ ...account, user: undefined }, { project: 2, user });
    expect(problemsOf(() => cursors.verify(other, signed))).toEqual(refusal);
  });
});
