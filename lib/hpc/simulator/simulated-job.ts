import type { StageWords } from '../../catalog/hpc-system.ts';
import type { Observation } from '../connector.ts';

/** What the simulator knows of a job that it took. */
export interface SimulatedJob {
  readonly acceptedAt: Date;
  readonly hours: number;
  readonly title: string;
}

/** The share of its granted time that a job needs, so that there is something to give back. */
const neededShare = 0.8;

/**
 * Where a job stands, worked out from the clock alone: the stages before and after the running
 * one take a minute of the system's time each, the running one what the job needs. A title with
 * `sim:fail` makes a job fail halfway, one with `sim:full` makes it need all it was granted.
 */
export function observeSimulatedJob(
  words: StageWords,
  { acceptedAt, hours, title }: SimulatedJob,
  now: Date,
  hourSeconds: number,
): Observation {
  const fails = title.includes('sim:fail');
  const share = fails ? neededShare / 2 : title.includes('sim:full') ? 1 : neededShare;
  const minute = hourSeconds / 60;
  let left = (now.getTime() - acceptedAt.getTime()) / 1000;
  for (const stage of stagesToCome(words)) {
    const isRunning = stage === words.running;
    const length = isRunning ? hours * share * hourSeconds : minute;
    if (left < length) return { state: 'living', stage };
    left -= length;
    if (isRunning && fails) break;
  }
  return {
    state: 'ended',
    stage: (fails ? words.failed[0] : words.succeeded[0]) ?? words.running,
    failed: fails,
    usedSeconds: hours * share * 3600,
    endedAt: new Date(now.getTime() - left * 1000),
    ...(fails && { reason: 'The simulator was told to let this job fail.' }),
  };
}

/** A job is accepted in its first stage, and goes on from there. */
function stagesToCome({ first, living }: StageWords): readonly string[] {
  return living.slice(living.indexOf(first));
}
