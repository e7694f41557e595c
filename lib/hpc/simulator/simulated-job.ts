import { type StageWords, stageOfFailure } from '#lib/catalog/hpc-system.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import type { Observation } from '../connector.ts';

/** What the simulator knows of a job that it took. */
export interface SimulatedJob {
  readonly acceptedAt: Date;
  readonly hours: number;
  readonly title: string;
  readonly cancelledAt?: Date | undefined;
}

/** The way of a job, known from the moment it was taken. */
export interface Course {
  /** Each stage with the moment at which it is over. */
  readonly stages: readonly { readonly stage: string; readonly until: Date }[];
  readonly runsFrom: Date;
  readonly endsAt: Date;
  readonly failed: boolean;
  /** Of the system's own time. */
  readonly usedSeconds: number;
}

/** The share of its granted time that a job needs, so that there is something to give back. */
const neededShare = 0.8;

export const toldToFail = 'The simulator was told to make this job fail.';

/**
 * Worked out from the clock alone: the stages before and after the running one take a minute of
 * the system's time each, the running one what the job needs, and never more than it was granted.
 */
export function plotCourse(words: StageWords, job: SimulatedJob, hourSeconds: number): Course {
  const { acceptedAt, hours, title } = job;
  const failed = saysWord(title, 'fail');
  const slow = saysWord(title, 'slow');
  const needed = slow || saysWord(title, 'full') ? 1 : neededShare;
  const share = failed ? needed / 2 : needed;
  const stageSeconds = ((slow ? 3 : 1) * hourSeconds) / 60;
  let at = acceptedAt;
  let runsFrom = acceptedAt;
  const stages: Course['stages'][number][] = [];
  for (const stage of stagesToCome(words)) {
    const isRunning = stage === words.running;
    if (isRunning) runsFrom = at;
    at = addSeconds(at, isRunning ? hours * share * hourSeconds : stageSeconds);
    stages.push({ stage, until: at });
    if (isRunning && failed) break;
  }
  return { stages, runsFrom, endsAt: at, failed, usedSeconds: hours * share * 3600 };
}

export function observeCourse(words: StageWords, course: Course, now: Date): Observation {
  const current = course.stages.find(({ until }) => now < until);
  if (current) return { state: 'living', stage: current.stage, steadyUntil: current.until };
  const { failed, usedSeconds, endsAt } = course;
  return {
    state: 'ended',
    stage: failed ? stageOfFailure(words) : (words.succeeded[0] ?? words.running),
    failed,
    usedSeconds,
    endedAt: endsAt,
    ...(failed && { reason: toldToFail }),
  };
}

/** A job is accepted in its first stage, and goes on from there. */
function stagesToCome({ first, living }: StageWords): readonly string[] {
  return living.slice(living.indexOf(first));
}

/**
 * Words in a job's title by which a person tells the simulator what shall become of the job:
 *
 * | word         |                                                              |
 * |--------------|--------------------------------------------------------------|
 * | `sim:fail`   | it fails halfway                                             |
 * | `sim:full`   | it needs all the time that it was granted                    |
 * | `sim:slow`   | so does this one, and its other stages take three times long |
 * | `sim:lost`   | it is taken, and the answer is lost                          |
 * | `sim:refuse` | it is refused for good                                       |
 * | `sim:busy`   | the first try is put off by two seconds                      |
 * | `sim:gone`   | it is taken, and nothing is known of it afterwards           |
 */
type TitleWord = 'fail' | 'full' | 'slow' | 'lost' | 'refuse' | 'busy' | 'gone';

export function saysWord(title: string, word: TitleWord): boolean {
  return title.includes(`sim:${word}`);
}
