import type { RouteName } from '../functions/routes.ts';
import type { schedules } from '../functions/schedules.ts';

export interface Throttle {
  /** Requests per second, over all callers. */
  readonly rate: number;
  /** Requests at once. */
  readonly burst: number;
}

/** Routes that take less than the stage does: what they cost, or who may call them, says why. */
export const routeThrottles: Partial<Record<RouteName, Throttle>> = {
  // A transaction of up to five writes, and a job on a supercomputer behind each.
  'submit-job': { rate: 25, burst: 50 },
  // Anybody may call it, and it reads the table.
  'read-status': { rate: 10, burst: 20 },
};

type FunctionName = RouteName | keyof typeof schedules | 'fallback';

/**
 * How many of a function may run at once, where more would hurt something behind it. What is
 * reserved is taken from all others, and a new account has only ten in all: so this stays empty
 * until a function calls an HPC system.
 */
const reserved: Partial<Record<FunctionName, number>> = {};

export const reservedConcurrency: ReadonlyMap<string, number> = new Map(Object.entries(reserved));
