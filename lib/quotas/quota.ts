/**
 * What a user may still use of a project. Time is whole seconds, space whole kilobytes (1,000
 * bytes), so that sums stay exact: granted = left + held + used, always.
 */
export interface Quota {
  readonly id: number;
  readonly user: string;
  readonly project: { readonly number: number; readonly hpc: string; readonly name: string };
  readonly time: Balance;
  readonly space: Balance;
  /** How many of the user's jobs here have not ended. */
  readonly livingJobs: number;
  /** From then on nothing can be submitted, and what is left is taken back. */
  readonly validUntil: Date | undefined;
  /** Why the user may not submit: to this project, or anywhere. */
  readonly bans: { readonly here?: string; readonly everywhere?: string };
}

export interface Balance {
  readonly granted: number;
  readonly left: number;
  readonly held: number;
  readonly used: number;
}

/** What a job takes from its quota until it ends. */
export interface Hold {
  readonly seconds: number;
  readonly kilobytes: number;
}

/** A quota of which nothing has been used. */
export function openQuota(
  account: Pick<Quota, 'id' | 'user' | 'project'>,
  granted: Hold,
  limits: Partial<Pick<Quota, 'validUntil' | 'bans'>> = {},
): Quota {
  return {
    ...account,
    time: grantBalance(granted.seconds),
    space: grantBalance(granted.kilobytes),
    livingJobs: 0,
    validUntil: limits.validUntil,
    bans: limits.bans ?? {},
  };
}

function grantBalance(granted: number): Balance {
  return { granted, left: granted, held: 0, used: 0 };
}
