/**
 * How many seconds the jobs of one session may hold before somebody is asked. What was taken stays
 * taken when a job ends: to give back what a job did not use, one would have to follow them all.
 */
export interface Budget {
  readonly whole: number;
  left(): number;
  /** Takes it if there is as much. Nothing comes between the two: calls run at the same time. */
  take(seconds: number): boolean;
  /** For what somebody was asked about. It counts too, so that the next job is asked about as well. */
  takeAllTheSame(seconds: number): void;
  /** For what was not made after all. */
  giveBack(seconds: number): void;
}

export function createBudget(whole: number): Budget {
  let taken = 0;
  return {
    whole,
    left: () => Math.max(0, whole - taken),
    take: (seconds) => {
      if (taken + seconds > whole) return false;
      taken += seconds;
      return true;
    },
    takeAllTheSame: (seconds) => {
      taken += seconds;
    },
    giveBack: (seconds) => {
      taken -= seconds;
    },
  };
}
