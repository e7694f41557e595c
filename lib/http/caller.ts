import type { UserId } from '#lib/catalog/identifiers.ts';

/** Who calls: the owner of submitted jobs, the user of own quotas (interface 5). */
export interface Caller {
  readonly userId: UserId;
  readonly administrator: boolean;
}
