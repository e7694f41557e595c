import type { Step } from '#lib/table/writes/transaction.ts';
import { bansInProject } from '#lib/users/bans.ts';
import type { Profile } from '#lib/users/profile.ts';
import { noteNewQuota } from '#lib/users/profile-store.ts';
import { accountOf, type Quota } from '../quota.ts';
import { createQuota } from './create-quota.ts';

/**
 * A quota for somebody who has been seen, with the bans that hold there. Where a ban changes at
 * the same moment it is refused with a ProfileChangedError: read the profile again, and repeat.
 */
export function openAnotherQuota(profile: Profile, quota: Quota, at = new Date()): Step[] {
  const bans = bansInProject(profile.bans, accountOf(quota));
  return [noteNewQuota(profile), createQuota({ ...quota, bans }, at)];
}
