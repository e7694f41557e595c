import { isDeepStrictEqual } from 'node:util';
import { dueKeysOf, type QuotaCalendar } from '../calendar/due-moments.ts';
import type { Quota } from '../quota.ts';
import { renewalToItem } from '../renewal-item.ts';
import { hasEnded, isSameCalendar } from './plan-calendar.ts';

/** Part of an update. */
interface CalendarUpdate {
  readonly update: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * A new end begins its warnings anew, and a new moment of renewal is announced anew. What stays is
 * left alone, and so is what was told of it. A quota that has ended is due as it was, or no more:
 * what was granted to it since must not be taken back because its renewal changes.
 */
export function changeCalendar(before: Quota, wanted: QuotaCalendar, at: Date): CalendarUpdate {
  const end = keepEnd(before);
  if (isSameCalendar(before, wanted)) return { update: '', ...end };
  const renewal = keepRenewal(before);
  const set = setCalendar(before.id, wanted, at);
  const names = Object.keys(set);
  const removed = listRemoved(before, wanted, at).filter((name) => !names.includes(name));
  return {
    update: [
      ...(names.length > 0
        ? [` SET ${names.map((name) => `${name} = :new_${name}`).join(', ')}`]
        : []),
      ...(removed.length > 0 ? [` REMOVE ${removed.join(', ')}`] : []),
    ].join(''),
    condition: `${end.condition} AND ${renewal.condition}`,
    values: {
      ...end.values,
      ...renewal.values,
      ...Object.fromEntries(names.map((name) => [`:new_${name}`, set[name]])),
    },
  };
}

function keepEnd({ validUntil }: Quota): Omit<CalendarUpdate, 'update'> {
  return validUntil
    ? {
        condition: 'valid_until = :valid_until',
        values: { ':valid_until': validUntil.toISOString() },
      }
    : { condition: 'attribute_not_exists(valid_until)', values: {} };
}

/** The next moment that the quota is due is worked out from the renewal that was read. */
function keepRenewal({ renewal }: Quota): Omit<CalendarUpdate, 'update'> {
  return renewal
    ? {
        condition: 'renews_next = :renewal AND renews = :rule',
        values: {
          ':renewal': renewal.next.toISOString(),
          ':rule': renewalToItem(renewal.rule),
        },
      }
    : { condition: 'attribute_not_exists(renews_next)', values: {} };
}

function setCalendar(id: number, wanted: QuotaCalendar, at: Date): Record<string, unknown> {
  const { validUntil, renewal } = wanted;
  return {
    ...(validUntil && { valid_until: validUntil.toISOString() }),
    ...(renewal && {
      renews: renewalToItem(renewal.rule),
      renews_next: renewal.next.toISOString(),
    }),
    ...(!hasEnded(validUntil, at) && dueKeysOf(id, wanted, at)),
  };
}

/** Of these, what is not set goes. */
function listRemoved(before: Quota, wanted: QuotaCalendar, at: Date): string[] {
  const endChanges = before.validUntil?.getTime() !== wanted.validUntil?.getTime();
  const momentChanges = !isDeepStrictEqual(before.renewal?.next, wanted.renewal?.next);
  return [
    'valid_until',
    'renews',
    'renews_next',
    ...(hasEnded(wanted.validUntil, at) ? [] : ['due', 'due_at']),
    ...(endChanges ? ['expiry_warned'] : []),
    ...(momentChanges ? ['renewal_announced'] : []),
  ];
}
