import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { UserBans } from './bans.ts';

/** A user whom the service has seen, with their bans. */
export interface Profile {
  readonly user: UserId;
  readonly firstSeen: Date;
  readonly bans: UserBans;
  /**
   * The systems on which the user got a welcome quota, even if it was removed since. Missing in old
   * profiles.
   */
  readonly welcomedOn: readonly SystemName[] | undefined;
  /**
   * Increases with every changed ban and every opened quota. A ban applies to all quotas of a user,
   * so a writer must know that nothing came in between.
   */
  readonly revision: number;
}
