import {
  budgetHolder,
  type ProjectName,
  type SystemName,
  type UserId,
} from '#lib/catalog/identifiers.ts';
import type { Renewal } from '#lib/catalog/renewal.ts';
import type { AccountKey, ProjectKey } from '#lib/table/keys.ts';
import type { QuotaBans } from '#lib/users/bans.ts';

/**
 * A user's quota in one project. Time is in whole seconds and space in whole kilobytes (1,000
 * bytes), so sums stay exact: granted = left + held + used, always.
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
  /** The number of the user's jobs here that have not ended. */
  readonly activeJobs: number;
  /** From this moment on nothing can be submitted, and what remains is taken back. */
  readonly validUntil: Date | undefined;
  /** How the quota renews, and when next. A `next` after `validUntil` has no effect. */
  readonly renewal: { readonly rule: Renewal; readonly next: Date } | undefined;
  /** The reasons why the user may not submit: to this project, or anywhere. */
  readonly bans: QuotaBans;
  /**
   * In a user's quota, the part of the grant that came from the project's budget. In a budget, the
   * part of `used` that was shared out.
   */
  readonly share?: Amount | undefined;
  /** What the user's jobs hold of the project's budget. Only in projects that are shared. */
  readonly drawn?: Drawn | undefined;
  /** Set for a member by a group of the identity provider, whom nobody has invited. */
  readonly throughGroup?: true | undefined;
}

interface Drawn extends Amount {
  /** Grows with every change, which writes no line into the user's own ledger. */
  readonly changes: number;
}

export interface Balance {
  readonly granted: number;
  readonly left: number;
  readonly held: number;
  readonly used: number;
}

/** Time and space together: of a grant, a hold, a ledger line or a remaining balance. */
export interface Amount {
  readonly seconds: number;
  readonly kilobytes: number;
}

/** The amount that a job takes from its quota until it ends. */
export type Hold = Amount;

/** The largest total grant. Sums of a few such numbers are still exact in a double. */
export const mostGranted = 1_000_000_000_000_000;

export function accountOf({ user, project }: Pick<Quota, 'user' | 'project'>): AccountKey {
  return { user, hpc: project.hpc, project: project.name };
}

/** Names the account of a project's budget. */
export function budgetOf({ hpc, project }: ProjectKey): AccountKey {
  return { user: budgetHolder, hpc, project };
}

/** Names an account for the audit. A budget has no user. */
export function subjectOf({ user, ...project }: AccountKey): AccountKey | ProjectKey {
  return user === budgetHolder ? project : { user, ...project };
}

/** Makes a quota of which nothing has been used. */
export function openQuota(
  account: Pick<Quota, 'id' | 'user' | 'project'>,
  granted: Amount,
  limits: Partial<Pick<Quota, 'validUntil' | 'renewal' | 'bans' | 'share' | 'throughGroup'>> = {},
): Quota {
  return {
    ...account,
    time: grantBalance(granted.seconds),
    space: grantBalance(granted.kilobytes),
    activeJobs: 0,
    validUntil: limits.validUntil,
    renewal: limits.renewal,
    bans: limits.bans ?? {},
    ...(limits.share && { share: limits.share }),
    ...(limits.throughGroup && { throughGroup: limits.throughGroup }),
  };
}

function grantBalance(granted: number): Balance {
  return { granted, left: granted, held: 0, used: 0 };
}

export const nothing: Amount = { seconds: 0, kilobytes: 0 };

export function isNothing({ seconds, kilobytes }: Amount): boolean {
  return seconds === 0 && kilobytes === 0;
}

export function addUp(amounts: readonly Amount[]): Amount {
  return amounts.reduce(
    (sum, { seconds, kilobytes }) => ({
      seconds: sum.seconds + seconds,
      kilobytes: sum.kilobytes + kilobytes,
    }),
    nothing,
  );
}

export function subtract(from: Amount, { seconds, kilobytes }: Amount): Amount {
  return { seconds: from.seconds - seconds, kilobytes: from.kilobytes - kilobytes };
}
