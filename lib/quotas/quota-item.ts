import * as v from 'valibot';
import { quotaKey, quotaRegistryKeys } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredProjectName, StoredSystemName, StoredUserId } from '#lib/table/stored-names.ts';
import { accountOf, type Quota } from './quota.ts';
import { RenewalItem, renewalFromItem, renewalToItem } from './renewal-item.ts';

/** Flat, because conditions and additions reach attributes by name. */
const QuotaItem = v.object({
  type: v.literal('quota'),
  schema_version: v.literal(1),
  id: v.number(),
  user: StoredUserId,
  project: v.number(),
  hpc: StoredSystemName,
  project_name: StoredProjectName,
  time_granted: v.number(),
  time_left: v.number(),
  time_held: v.number(),
  time_used: v.number(),
  space_granted: v.number(),
  space_left: v.number(),
  space_held: v.number(),
  space_used: v.number(),
  living_jobs: v.number(),
  valid_until: v.optional(v.string()),
  renews: v.optional(RenewalItem),
  renews_next: v.optional(v.string()),
  banned_here: v.optional(v.string()),
  banned_everywhere: v.optional(v.string()),
});

export function quotaToItem(quota: Quota) {
  const { id, user, project, time, space, livingJobs, validUntil, renewal, bans } = quota;
  const account = accountOf(quota);
  return {
    ...quotaKey(account),
    ...quotaRegistryKeys(account),
    type: 'quota',
    schema_version: 1,
    id,
    user,
    project: project.number,
    hpc: project.hpc,
    project_name: project.name,
    time_granted: time.granted,
    time_left: time.left,
    time_held: time.held,
    time_used: time.used,
    space_granted: space.granted,
    space_left: space.left,
    space_held: space.held,
    space_used: space.used,
    living_jobs: livingJobs,
    ...(validUntil && { valid_until: validUntil.toISOString() }),
    ...(renewal && {
      renews: renewalToItem(renewal.rule),
      renews_next: renewal.next.toISOString(),
    }),
    ...(bans.here !== undefined && { banned_here: bans.here }),
    ...(bans.everywhere !== undefined && { banned_everywhere: bans.everywhere }),
  } satisfies v.InferInput<typeof QuotaItem> & ReturnType<typeof quotaKey>;
}

export function quotaFromItem(stored: unknown): Quota {
  const item = parseItem(QuotaItem, stored);
  return {
    id: item.id,
    user: item.user,
    project: { number: item.project, hpc: item.hpc, name: item.project_name },
    time: {
      granted: item.time_granted,
      left: item.time_left,
      held: item.time_held,
      used: item.time_used,
    },
    space: {
      granted: item.space_granted,
      left: item.space_left,
      held: item.space_held,
      used: item.space_used,
    },
    livingJobs: item.living_jobs,
    validUntil: item.valid_until === undefined ? undefined : new Date(item.valid_until),
    renewal:
      item.renews === undefined || item.renews_next === undefined
        ? undefined
        : { rule: renewalFromItem(item.renews), next: new Date(item.renews_next) },
    bans: {
      ...(item.banned_here !== undefined && { here: item.banned_here }),
      ...(item.banned_everywhere !== undefined && { everywhere: item.banned_everywhere }),
    },
  };
}
