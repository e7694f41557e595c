import { longestRetrySeconds } from '#lib/hpc/connector.ts';
import type { Absence } from '#lib/presence/presence.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { earlierOf, laterOf } from '#lib/time/order.ts';
import type { CommandTimes } from '../../life/job-life.ts';

/** The run of an ended job as its system counts it, and what the job told about its command. */
export interface CountedRun {
  /** Missing if the system does not tell it. A suspended run began earlier than its seconds say. */
  readonly startedAt?: Date | undefined;
  readonly endedAt: Date;
  readonly seconds: number;
  readonly commandTimes: CommandTimes | undefined;
  /** Set if the job ended by itself. It may have tried for this long to reach the service. */
  readonly patienceSeconds: number | undefined;
}

/** Returns false for most jobs, so that no absences need to be read for them. */
export function mayHaveWaited({ commandTimes, patienceSeconds }: CountedRun): boolean {
  return commandTimes !== undefined || patienceSeconds !== undefined;
}

/**
 * Counts the seconds of a run that are not charged, because the service was away and the job could
 * only wait, before or after its command. A job may make up its command times, because its owner
 * can read its pass. So only absences count that the service noted itself, and a moment after each.
 * The charge is never less than the counted time without these absences.
 */
export function countExcusedSeconds(run: CountedRun, noted: readonly Absence[]): number {
  const absences = extend(noted);
  const waits = run.commandTimes ? listToldWaits(run, run.commandTimes) : listVain(run, absences);
  const parts = waits.flatMap((wait) => absences.map((absence) => overlapSeconds(wait, absence)));
  return parts.reduce((sum, seconds) => sum + seconds, 0);
}

/**
 * Extends each absence, because a job that pauses between retries notices the service's return
 * late. An extension ends where the next absence begins, so that no second counts twice.
 */
function extend(absences: readonly Absence[]): Absence[] {
  return absences.map(({ from, until }, at) => {
    const next = absences[at + 1]?.from;
    const back = addSeconds(until, longestRetrySeconds);
    return { from, until: next ? earlierOf(back, laterOf(until, next)) : back };
  });
}

function listToldWaits(run: CountedRun, command: CommandTimes): Absence[] {
  const { endedAt, seconds, startedAt = addSeconds(endedAt, -seconds) } = run;
  const commandEnd = laterOf(startedAt, command.endedAt);
  const commandStart = addSeconds(startedAt, command.secondsBefore);
  return [
    { from: startedAt, until: earlierOf(commandStart, commandEnd) },
    { from: commandEnd, until: endedAt },
  ];
}

/**
 * Lists the wait of a job that gave up while the service was away, and so could not report it. A
 * job tries for all of `patienceSeconds` before it gives up. So a job that ran shorter, or that
 * could reach the service at its first try, ended for another reason and is charged.
 */
function listVain(run: CountedRun, absences: readonly Absence[]): Absence[] {
  const { endedAt, seconds, patienceSeconds } = run;
  if (patienceSeconds === undefined || seconds < patienceSeconds) return [];
  const firstTry = addSeconds(endedAt, -patienceSeconds);
  const isVain = absences.some(({ from, until }) => from <= firstTry && endedAt <= until);
  return isVain ? [{ from: firstTry, until: endedAt }] : [];
}

function overlapSeconds(one: Absence, other: Absence): number {
  const from = laterOf(one.from, other.from).getTime();
  const until = earlierOf(one.until, other.until).getTime();
  return Math.max(0, until - from) / 1000;
}
