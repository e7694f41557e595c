import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { UserBans } from './bans.ts';

/** Whom the service has seen, and why they may not submit. */
export interface Profile {
  readonly user: UserId;
  readonly firstSeen: Date;
  readonly bans: UserBans;
  /**
   * The systems on which the user was given the welcome quota, whatever has become of it since. In
   * profiles from before this was noted it is missing.
   */
  readonly welcomedOn: readonly SystemName[] | undefined;
  /**
   * One more with every ban that changes and every quota that is opened: a ban reaches all quotas
   * of a user, so whoever writes one must know that no other came in between.
   */
  readonly revision: number;
}
