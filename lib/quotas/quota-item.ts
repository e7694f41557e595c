import * as v from 'valibot';
import { budgetHolder } from '#lib/catalog/identifiers.ts';
import { renewalPeriods } from '#lib/catalog/renewal.ts';
import {
  attribute,
  defineItem,
  group,
  map,
  moment,
  number,
  optional,
  text,
} from '#lib/table/define-item.ts';
import { quotaKey, quotaRegistryKeys } from '#lib/table/keys.ts';
import { projectField, userField } from '#lib/table/named-fields.ts';
import { accountOf, type Quota } from './quota.ts';

const amount = () => ({ seconds: number('seconds'), kilobytes: number('kilobytes') });

const renewalRule = () =>
  map('renews', {
    every: attribute('every', v.picklist(renewalPeriods)),
    on: number('on'),
    month: number('month'),
    to: map('to', amount()),
    carryOver: map('carry_over', amount()),
  });

const balance = (of: 'time' | 'space') =>
  group({
    granted: number(`${of}_granted`),
    left: number(`${of}_left`),
    held: number(`${of}_held`),
    used: number(`${of}_used`),
  });

/** Balances are flat, because conditions and additions reach attributes by name. */
const fields = () => ({
  id: number('id'),
  user: userField(),
  project: projectField(),
  time: balance('time'),
  space: balance('space'),
  activeJobs: number('living_jobs'),
  validUntil: optional(moment('valid_until')),
  renewal: optional(group({ rule: renewalRule(), next: moment('renews_next') })),
  bans: group({
    here: optional(text('banned_here')),
    everywhere: optional(text('banned_everywhere')),
  }),
  drawn: optional(
    group({
      seconds: number('drawn_seconds'),
      kilobytes: number('drawn_kilobytes'),
      changes: number('draws'),
    }),
  ),
  throughGroup: optional(attribute('through_group', v.literal(true))),
  share: optional(
    group({ seconds: number('share_seconds'), kilobytes: number('share_kilobytes') }),
  ),
});

const storedQuota = defineItem('quota', fields);

/** A type of its own, so that no event about a quota is told to a user who does not exist. */
const storedBudget = defineItem('budget', fields);

/** Only users' quotas are registered, because the registry lists users. */
export function quotaToItem(quota: Quota) {
  const account = accountOf(quota);
  return quota.user === budgetHolder
    ? { ...quotaKey(account), ...storedBudget.format(quota) }
    : { ...quotaKey(account), ...quotaRegistryKeys(account), ...storedQuota.format(quota) };
}

export function quotaFromItem(stored: unknown): Quota {
  const { parse } = isBudget(stored) ? storedBudget : storedQuota;
  return { validUntil: undefined, renewal: undefined, ...parse(stored) };
}

function isBudget(stored: unknown): boolean {
  return (
    typeof stored === 'object' && stored !== null && 'type' in stored && stored.type === 'budget'
  );
}

/**
 * Returns the attributes of a quota's end and renewal, undefined for those that it does not have.
 * The same rule is always written in the same way, because conditions compare it as a whole.
 */
export function calendarToItem({ validUntil, renewal }: Pick<Quota, 'validUntil' | 'renewal'>) {
  return {
    valid_until: validUntil?.toISOString(),
    renews: renewal && renewalRule().write(renewal.rule).renews,
    renews_next: renewal?.next.toISOString(),
  };
}
