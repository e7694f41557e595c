import type { JobRun, Measured, Observation } from '#lib/hpc/connector.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { earlierOf } from '#lib/time/order.ts';

/** Tolerated difference between the clock of a system and ours. */
const slackSeconds = 60;

/**
 * Drops what cannot be true of the times and amounts that a system reports. If its clock is off by
 * an hour, a job must not end in the future, nor be charged for that hour or run for nothing. A
 * value that is not a number must not keep a job from ending.
 */
export function judgeTimes(
  observation: Observation,
  { runningSince }: { readonly runningSince?: Date | undefined },
  now: Date,
): Observation {
  switch (observation.state) {
    case 'unknown':
      return observation;
    case 'living': {
      const { steadyUntil, earlierRuns, ...rest } = observation;
      return {
        ...rest,
        ...judgeRuns(earlierRuns),
        ...(steadyUntil && isMoment(steadyUntil) && { steadyUntil }),
      };
    }
    case 'ended': {
      const { startedAt, endedAt, usedSeconds, measured, earlierRuns, ...rest } = observation;
      return {
        ...rest,
        ...judgeRuns(earlierRuns),
        ...(startedAt && isMoment(startedAt) && { startedAt }),
        ...(endedAt && isPossible(endedAt, runningSince) && { endedAt: earlierOf(endedAt, now) }),
        ...(usedSeconds !== undefined && isAmount(usedSeconds) && { usedSeconds }),
        ...(measured && areAmounts(measured) && { measured }),
      };
    }
  }
}

function judgeRuns(runs: readonly JobRun[] | undefined) {
  return runs && { earlierRuns: runs.filter(({ seconds }) => isAmount(seconds)) };
}

function isPossible(endedAt: Date, runningSince: Date | undefined): boolean {
  if (!isMoment(endedAt)) return false;
  return runningSince === undefined || addSeconds(endedAt, slackSeconds) >= runningSince;
}

function isMoment(date: Date): boolean {
  return Number.isFinite(date.getTime());
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

function areAmounts(measured: Measured): boolean {
  return Object.values(measured).every((value) => value === undefined || isAmount(value));
}
