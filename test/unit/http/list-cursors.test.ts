import { describe, expect, it } from 'vitest';
import { createCursorSigner } from '#lib/http/paging/cursor.ts';
import type { JobList } from '#lib/jobs/read/job-list.ts';
import { problemsOf } from '#test/fixtures/problems-of.ts';
import { otherUser, user } from '#test/fixtures/samples.ts';

const signer = createCursorSigner('a secret');
const list: JobList = {
  owner: user,
  hpc: 'hpc_one',
  project: 'proj_hpc_one_01',
  order: 'asc',
  filter: { failed: false, since: new Date('2026-01-31') },
};
const cursor = signer.sign(list, 80);

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
    expect(createCursorSigner('a secret').verify(again, cursor)).toBe(80);
  });

  const others: { what: string; other: JobList }[] = [
    { what: 'owner', other: { ...list, owner: otherUser } },
    { what: 'system', other: { ...list, hpc: 'hpc_two' } },
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
    const stolen = createCursorSigner('another secret').sign(list, 80);
    expect(problemsOf(() => signer.verify(list, stolen))).toEqual(refusal);
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
