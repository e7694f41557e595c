import { type Charging, nameUnit, writeLeft } from '../../../format/amounts/amounts.ts';

export type Budget = ReturnType<typeof createBudget>;

/**
 * Limits the seconds that the jobs of one session may hold without asking the user. Seconds that a
 * job did not use are not given back, because that would require following every job.
 */
export function createBudget(whole: number) {
  let taken = 0;
  return {
    whole,
    left: () => Math.max(0, whole - taken),
    /**
     * Takes the seconds if enough remain. Checks and takes in one step, because calls run
     * concurrently.
     */
    take: (seconds: number): boolean => {
      if (taken + seconds > whole) return false;
      taken += seconds;
      return true;
    },
    /**
     * Takes seconds that the user agreed to, even beyond the budget. So the user is asked about the
     * next job as well.
     */
    takeAgreed: (seconds: number): void => {
      taken += seconds;
    },
    /** Gives back the seconds of a job that was not submitted. */
    giveBack: (seconds: number): void => {
      taken -= seconds;
    },
  };
}

export function describeBudget({ whole, left }: Budget, charging: Charging): string {
  if (whole === 0) return 'There is no budget: the user is asked about every job.';
  return `The budget of this session has ${writeLeft(left(), whole)} ${nameUnit(charging)} left.`;
}
