import { writeNeed, writeNodeTime, writeRest, writeSize } from '../format/amounts.ts';
import type { Problem } from '../generated/operations.ts';
import { phrase } from '../words/formats.ts';

/** A problem, or the refusal of one row. */
export type Told = Omit<Problem, 'status' | 'instance'>;

/**
 * Describes a problem in the units that people use. Reads its members, never its words. Problems
 * without such members keep the service's words.
 */
export function describeProblem(problem: Told): string {
  return describers[nameOf(problem)]?.(problem) ?? problem.detail;
}

export function nameOf({ type }: Pick<Told, 'type'>): string {
  return type.slice(type.lastIndexOf(':') + 1);
}

const describers: Readonly<Record<string, (problem: Told) => string | undefined>> = {
  'quota-exceeded': (problem) => describeShortage(problem, 'problem.quotaTooSmall'),
  'budget-too-small': (problem) => describeShortage(problem, 'problem.budgetTooSmall'),
  'not-from-budget': () => phrase('problem.notFromBudget'),
  'quota-in-use': describeUse,
  'uploads-too-large': describeUploads,
};

function describeShortage(
  problem: Told,
  message: 'problem.quotaTooSmall' | 'problem.budgetTooSmall',
): string | undefined {
  const { asked, left, charging = 'mixed' } = problem;
  if (!asked || !left) return undefined;
  const shortages = [
    ...(asked.time > left.time
      ? [
          phrase('problem.timeShort', {
            asked: writeNeed(asked.time, charging),
            left: writeRest(left.time, charging),
          }),
        ]
      : []),
    ...(asked.space > left.space
      ? [
          phrase('problem.spaceShort', {
            asked: writeSize(asked.space * 1000),
            left: writeSize(left.space * 1000, 'floor'),
          }),
        ]
      : []),
  ];
  return phrase(message, { place: writePlace(problem), shortages: shortages.join('; ') });
}

function describeUse(problem: Told): string | undefined {
  const { lowest, time, space, charging = 'mixed' } = problem;
  const { living_jobs: active = 0, ended_jobs: ended = 0 } = problem;
  const place = writePlace(problem);
  if (lowest && time && space && lowest.time === 0 && lowest.space === 0) {
    return phrase('problem.belowZero', {
      place,
      time: writeNodeTime(time.granted, charging),
      space: writeSize(space.granted * 1000),
    });
  }
  if (lowest) {
    return phrase('problem.belowUse', {
      place,
      time: writeNeed(lowest.time, charging),
      space: writeSize(lowest.space * 1000),
    });
  }
  if (!time || !space) return undefined;
  return phrase('problem.inUse', {
    place,
    active,
    ended,
    time: writeNodeTime(time.held, charging),
    space: writeSize(space.held * 1000),
    advice: adviseRemoval(problem),
  });
}

function adviseRemoval({
  living_jobs: active,
  ended_jobs: ended,
  discarded_jobs: discarded,
}: Told): string {
  if (discarded !== undefined) return phrase('problem.someDiscarded', { discarded });
  return phrase(active === 0 && ended === 0 ? 'problem.noJobExplains' : 'problem.discardJobs');
}

function describeUploads({ limit, count }: Told): string | undefined {
  if (limit === undefined || count === undefined) return undefined;
  return phrase('problem.uploadsTooLarge', {
    size: writeSize(count * 1000),
    left: writeSize(limit * 1000, 'floor'),
  });
}

function writePlace({ project_name: project = '', project_hpc: hpc = '' }: Told): string {
  return phrase('problem.place', { project, hpc: hpc.toLowerCase() });
}
