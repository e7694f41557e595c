import { expect, it } from 'vitest';
import { newPreferences, topics, wants } from '#lib/mail/preferences.ts';
import { userId } from '#test/fixtures/names.ts';

const fresh = newPreferences(userId('1'), new Date('2026-11-15T10:00:00Z'));
const email = 'ada@example.org';

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
