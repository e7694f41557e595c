import { longestRetrySeconds } from '#lib/hpc/connector.ts';
import type { Absence } from '#lib/presence/presence.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import type { CommandTimes } from '../../life/job-life.ts';

/** The run of a job that has ended, as its system counts it, and what is known of its command. */
export interface CountedRun {
  readonly endedAt: Date;
  readonly seconds: number;
  readonly commandTimes: CommandTimes | undefined;
  /** Set where the job ended by itself, after it may have tried for so long to reach this service. */
  readonly patienceSeconds: number | undefined;
}

/** Most jobs did not, and nothing needs to be read for them. */
export function mayHaveWaited({ commandTimes, patienceSeconds }: CountedRun): boolean {
  return commandTimes !== undefined || patienceSeconds !== undefined;
}

/**
 * How much of a run is not charged: the time before and after the command in which the service was
 * away, so that the job could only wait for it. What the job says of its command may be made up, for
 * its owner can read its pass; so only absences count, which the service noted itself, and a moment
 * after each. The charge is never less than what the system counted without them.
 */
export function countExcusedSeconds(run: CountedRun, noted: readonly Absence[]): number {
  const absences = extend(noted);
  const waits = run.commandTimes ? listToldWaits(run, run.commandTimes) : listVain(run, absences);
  const parts = waits.flatMap((wait) => absences.map((absence) => overlapSeconds(wait, absence)));
  return parts.reduce((sum, seconds) => sum + seconds, 0);
}

/** A job that pauses between two tries learns of the service's return a moment later. */
function extend(absences: readonly Absence[]): Absence[] {
  return absences.map(({ from, until }, at) => {
    const next = absences[at + 1]?.from;
    const back = addSeconds(until, longestRetrySeconds);
    return { from, until: next ? earliest(back, latest(until, next)) : back };
  });
}

function listToldWaits(run: CountedRun, command: CommandTimes): Absence[] {
  const { endedAt } = run;
  const startedAt = startOf(run);
  const commandEnd = latest(startedAt, command.endedAt);
  const commandStart = addSeconds(startedAt, command.secondsBefore);
  return [
    { from: startedAt, until: earliest(commandStart, commandEnd) },
    { from: commandEnd, until: endedAt },
  ];
}

/**
 * A job that ended while the service was away could not say so: it tried until it gave up. Nobody
 * gives up earlier than that, so a job that was shorter, or whose first try the service was there
 * for, ended for another reason and is charged.
 */
function listVain(run: CountedRun, absences: readonly Absence[]): Absence[] {
  const { endedAt, seconds, patienceSeconds } = run;
  if (patienceSeconds === undefined || seconds < patienceSeconds) return [];
  const firstTry = addSeconds(endedAt, -patienceSeconds);
  const isVain = absences.some(({ from, until }) => from <= firstTry && endedAt <= until);
  return isVain ? [{ from: firstTry, until: endedAt }] : [];
}

function startOf({ endedAt, seconds }: CountedRun): Date {
  return addSeconds(endedAt, -seconds);
}

function overlapSeconds(one: Absence, other: Absence): number {
  const from = latest(one.from, other.from).getTime();
  const until = earliest(one.until, other.until).getTime();
  return Math.max(0, until - from) / 1000;
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}
