import type { ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { Renewal } from '#lib/catalog/renewal.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { QuotaBans } from '#lib/users/bans.ts';

/**
 * What a user may still use of a project. Time is whole seconds, space whole kilobytes (1,000
 * bytes), so that sums stay exact: granted = left + held + used, always.
 */
export interface Quota {
  readonly id: number;
  readonly user: UserId;
  readonly project: {
    readonly number: number;
    readonly hpc: SystemName;
    readonly name: ProjectName;
  };
  readonly time: Balance;
  readonly space: Balance;
  /** How many of the user's jobs here have not ended. */
  readonly livingJobs: number;
  /** From then on nothing can be submitted, and what is left is taken back. */
  readonly validUntil: Date | undefined;
  /** How it renews, and when it does so next: not after its end, whatever stands here. */
  readonly renewal: { readonly rule: Renewal; readonly next: Date } | undefined;
  /** Why the user may not submit: to this project, or anywhere. */
  readonly bans: QuotaBans;
}

export interface Balance {
  readonly granted: number;
  readonly left: number;
  readonly held: number;
  readonly used: number;
}

/** Time and space together: of a grant, a hold, a ledger line, or what is left. */
export interface Amount {
  readonly seconds: number;
  readonly kilobytes: number;
}

/** The most that is granted in total: sums of a few such numbers are still exact in a double. */
export const mostGranted = 1_000_000_000_000_000;

/** What a job takes from its quota until it ends. */
export type Hold = Amount;

/** The key of a quota's account. */
export function accountOf({ user, project }: Pick<Quota, 'user' | 'project'>): AccountKey {
  return { user, hpc: project.hpc, project: project.name };
}

/** A quota of which nothing has been used. */
export function openQuota(
  account: Pick<Quota, 'id' | 'user' | 'project'>,
  granted: Amount,
  limits: Partial<Pick<Quota, 'validUntil' | 'renewal' | 'bans'>> = {},
): Quota {
  return {
    ...account,
    time: grantBalance(granted.seconds),
    space: grantBalance(granted.kilobytes),
    livingJobs: 0,
    validUntil: limits.validUntil,
    renewal: limits.renewal,
    bans: limits.bans ?? {},
  };
}

function grantBalance(granted: number): Balance {
  return { granted, left: granted, held: 0, used: 0 };
}
