/** A job that waits for its cores. */
export interface WaitingSlot {
  readonly id: string;
  readonly system: string;
  readonly cores: number;
  /** How long the job may run. */
  readonly seconds: number;
}

/** A job that has its cores. */
export interface TakenSlot {
  readonly system: string;
  readonly cores: number;
  /** How long the job may still run. */
  readonly seconds: number;
}

export interface Slots {
  /** All cores of the machine. */
  readonly cores: number;
  /** The cores of systems that may not use all of them. */
  readonly systemCores: ReadonlyMap<string, number>;
}

/**
 * Only the first waiting jobs are planned, because planning takes the square of their number. Those
 * behind them wait.
 */
const plannedJobs = 60;

/**
 * Chooses the waiting jobs that start now, and returns their ids. Jobs start in the order in which
 * they are given. Each job that cannot start yet gets a reservation at the earliest moment at which
 * the jobs ahead of it leave enough cores, if all of them run for as long as they may. A job behind
 * it may start earlier only beside that reservation, so it never delays the job that it passes.
 */
export function chooseStarts(
  slots: Slots,
  taken: readonly TakenSlot[],
  waiting: readonly WaitingSlot[],
): string[] {
  const plan: Reservation[] = taken.map(({ system, cores, seconds }) => ({
    system,
    cores,
    from: 0,
    until: Math.max(seconds, shortestSeconds),
  }));
  const starts: string[] = [];
  for (const job of waiting.slice(0, plannedJobs)) {
    if (countUsed(plan, 0) >= slots.cores) break;
    const reservation = reserve(slots, plan, job);
    plan.push(reservation);
    if (reservation.from === 0) starts.push(job.id);
  }
  return starts;
}

/** A job over its time still has its cores until it has been ended. */
const shortestSeconds = 1;

interface Reservation {
  readonly system: string;
  readonly cores: number;
  readonly from: number;
  /** The moment at which the cores are free again. */
  readonly until: number;
}

/** Reserves the earliest moment at which the job fits. After the last end there is always room. */
function reserve(
  { cores: all, systemCores }: Slots,
  plan: readonly Reservation[],
  { system, cores, seconds }: WaitingSlot,
): Reservation {
  const length = Math.max(seconds, shortestSeconds);
  const own = systemCores.get(system) ?? all;
  const needed = Math.min(cores, all, own);
  const ends = plan.map(({ until }) => until).sort((one, other) => one - other);
  const isFree = (moment: number): boolean =>
    countUsed(plan, moment) + needed <= all && countUsed(plan, moment, system) + needed <= own;
  const fits = (from: number): boolean =>
    isFree(from) &&
    plan.every((other) => other.from <= from || other.from >= from + length || isFree(other.from));
  const from = [0, ...ends].find(fits) ?? ends.at(-1) ?? 0;
  return { system, cores: needed, from, until: from + length };
}

/** Counts the cores in use at a moment, of one system or of all. */
function countUsed(plan: readonly Reservation[], moment: number, system?: string): number {
  return plan
    .filter((one) => one.from <= moment && moment < one.until)
    .filter((one) => system === undefined || one.system === system)
    .reduce((sum, { cores }) => sum + cores, 0);
}
