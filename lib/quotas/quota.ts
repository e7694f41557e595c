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

export function grantBalance(granted: number): Balance {
  return { granted, left: granted, held: 0, used: 0 };
}
