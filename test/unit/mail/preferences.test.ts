import { expect, it } from 'vitest';
import {
  applyWish,
  newPreferences,
  preferencesFromItem,
  preferencesToItem,
  topics,
  wants,
} from '#lib/mail/preferences.ts';
import { notificationsKey } from '#lib/table/keys.ts';
import { userId } from '#test/fixtures/names.ts';

const fresh = newPreferences(userId('1'), new Date('2026-11-15T10:00:00Z'));
const email = 'ada@example.org';

it('is stored in this shape', () => {
  const written = '2026-11-15T10:00:00.000Z';
  const waitingEmail = 'new@example.org';
  const preferences = { ...fresh, email, waitingEmail, askedAt: [new Date(written)] };
  const item = {
    ...notificationsKey(fresh.user),
    type: 'notifications',
    schema_version: 1,
    user: '1',
    email,
    waiting_email: waitingEmail,
    asked_at: [written],
    events: topics.filter((topic) => topic !== 'project.statement'),
    digest: 'when-many',
    changed_at: written,
  };
  expect(preferencesToItem(preferences)).toEqual(item);
  expect(preferencesFromItem(item)).toEqual(preferences);
  const german = { ...preferences, language: 'de' } as const;
  expect(preferencesToItem(german)).toEqual({ ...item, language: 'de' });
  expect(preferencesFromItem({ ...item, language: 'de' })).toEqual(german);
});

const now = new Date('2026-11-16T10:00:00Z');
const settled = { ...fresh, email };
const waiting = { ...settled, waitingEmail: 'new@example.org' };

it.each([
  { wish: { digest: 'daily' }, before: waiting, after: { ...waiting, digest: 'daily' } },
  { wish: { language: 'de' }, before: waiting, after: { ...waiting, language: 'de' } },
  { wish: { language: 'en' }, before: { ...settled, language: 'de' }, after: settled },
  {
    wish: { email: null },
    before: { ...settled, language: 'de' },
    after: { ...fresh, language: 'de' },
  },
  { wish: { events: [] }, before: settled, after: { ...settled, events: [] } },
  { wish: { email: null }, before: waiting, after: fresh },
  { wish: { email }, before: waiting, after: settled },
  {
    wish: { email: 'token@example.org' },
    before: fresh,
    after: { ...fresh, email: 'token@example.org' },
  },
  { wish: { email: 'new@example.org' }, before: settled, after: { ...waiting, askedAt: [now] } },
  {
    wish: { email: 'new@example.org' },
    before: fresh,
    after: { ...fresh, waitingEmail: 'new@example.org', askedAt: [now] },
  },
] as const)('changes by the wish $wish what it names', ({ wish, before, after }) => {
  const changed = { ...after, changedAt: now };
  expect(applyWish(before, wish, 'token@example.org', now)).toStrictEqual(changed);
});

it('wants everything at first except statements', () => {
  const wanted = topics.filter((topic) => wants({ ...fresh, email }, topic));
  expect(topics.filter((topic) => !wanted.includes(topic))).toEqual(['project.statement']);
});

it.each([
  ['with a confirmed address', { email }, true],
  ['while the address waits for its link', { waitingEmail: email }, false],
  ['for another event', { email, events: ['job.ended'] as const }, false],
])('wants a statement that was asked for: %s', (_, preferences, expected) => {
  const asked = { ...fresh, events: ['project.statement'] as const, ...preferences };
  expect(wants(asked, 'project.statement')).toBe(expected);
});

it('wants nothing without preferences', () => {
  expect(wants(undefined, 'job.ended')).toBe(false);
});
