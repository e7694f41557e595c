import { type StageWords, stageOfFailure } from '#lib/catalog/hpc-system.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import type { Observation } from '../connector.ts';

export interface SimulatedJob {
  readonly acceptedAt: Date;
  readonly hours: number;
  readonly title: string;
  readonly cancelledAt?: Date | undefined;
}

/** The course of a job, known from the moment it was accepted. */
export interface Course {
  readonly stages: readonly { readonly stage: string; readonly until: Date }[];
  readonly runsFrom: Date;
  readonly endsAt: Date;
  readonly failed: boolean;
  /** In the system's own time. */
  readonly usedSeconds: number;
}

/** A job uses this share of its granted time, so that there is something to refund. */
const neededShare = 0.8;

export const toldToFail = 'The simulator was told to make this job fail.';

/**
 * Computes the course from the clock alone. The running stage takes what the job needs, at most what
 * it was granted; each other stage takes a minute of the system's time.
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

/** A job begins in its first stage. */
function stagesToCome({ first, living }: StageWords): readonly string[] {
  return living.slice(living.indexOf(first));
}

/**
 * Words in a job's title that tell the simulator what to do with the job:
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
