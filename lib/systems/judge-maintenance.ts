import { addSeconds } from '#lib/time/add-seconds.ts';
import { writeMoment } from '#lib/time/write-moment.ts';
import type { MaintenanceWindow } from './maintenance.ts';

type Windows = readonly MaintenanceWindow[];

/** Lists the windows that are not over, by their beginning. */
export function listCurrent(windows: Windows, now: Date): MaintenanceWindow[] {
  return windows
    .filter((window) => !isOver(window, now))
    .sort((one, other) => one.from.getTime() - other.from.getTime());
}

export function isOver({ until }: Pick<MaintenanceWindow, 'until'>, now: Date): boolean {
  return until !== undefined && until <= now;
}

/** Returns the window in which the system is closed now: the one that ends last. */
export function findClosure(windows: Windows, now: Date): MaintenanceWindow | undefined {
  const inForce = windows.filter(
    (window) => isOurs(window) && window.from <= now && !isOver(window, now),
  );
  return inForce.sort((one, other) => endOf(other) - endOf(one))[0];
}

function endOf({ until }: MaintenanceWindow): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Returns the window that keeps a job of this length from being handed over now. */
export function findObstacle(
  windows: Windows,
  grantedSeconds: number,
  now: Date,
): MaintenanceWindow | undefined {
  const closure = findClosure(windows, now);
  if (closure) return closure;
  return listCurrent(windows, now).find(
    (window) => isOurs(window) && window.drains && !fitsBefore(window, grantedSeconds, now),
  );
}

/** Tells whether a job that starts now is over before the window, even if it uses all its time. */
export function fitsBefore(
  { from }: Pick<MaintenanceWindow, 'from'>,
  grantedSeconds: number,
  now: Date,
): boolean {
  return addSeconds(now, grantedSeconds) <= from;
}

/** Slurm holds back jobs for its own reservations, and these may concern only some of its nodes. */
function isOurs({ source }: MaintenanceWindow): boolean {
  return source !== 'slurm';
}

/** Says why a job waits, and how it could run before. */
export function explainObstacle({ from, until, reason }: MaintenanceWindow, now: Date): string {
  const span =
    until === undefined
      ? 'until the system is resumed'
      : `for the maintenance from ${writeMoment(from)} to ${writeMoment(until)}`;
  const hours = Math.floor((from.getTime() - now.getTime()) / 360_000) / 10;
  const advice = hours > 0 ? ` Ask for at most ${hours} hours to run before.` : '';
  return `The job waits ${span}: ${endSentence(reason)}${advice}`;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Tells whether two descriptions are of one window. Sources name their windows independently. */
export function isOfSameName(one: MaintenanceWindow, other: MaintenanceWindow): boolean {
  return one.name === other.name && one.source === other.source;
}

/** Tells whether a window has changed for anybody. */
export function isSame(one: MaintenanceWindow, other: MaintenanceWindow): boolean {
  return (
    one.from.getTime() === other.from.getTime() &&
    one.until?.getTime() === other.until?.getTime() &&
    one.reason === other.reason &&
    one.drains === other.drains
  );
}
