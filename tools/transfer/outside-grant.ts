/** A grant of another system, in its own words but with our units. */
export interface OutsideGrant {
  /** Where the source has it. */
  readonly line: number;
  /** Tells it from the other grants of its source, so that a repeated import knows it. */
  readonly id: string;
  /** The system, as this service calls it. */
  readonly hpc: string;
  readonly project: string;
  /** Whether its members draw from its budget. Only for a project that is opened. */
  readonly shared?: true | undefined;
  /** A user number, or the name of an account on the system. Without either it is the budget's. */
  readonly user?: string | undefined;
  readonly login?: string | undefined;
  /** Without it, the user only becomes a member. */
  readonly seconds?: number | undefined;
  readonly kilobytes?: number | undefined;
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

/** What a source has, what does not fit, and what was chosen, in words. */
export interface Translation {
  readonly source: string;
  readonly grants: readonly OutsideGrant[];
  readonly problems: readonly SourceProblem[];
  readonly choices: readonly string[];
}

export interface SourceProblem {
  readonly line: number;
  readonly message: string;
}
