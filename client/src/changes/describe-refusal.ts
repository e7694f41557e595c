import { writeNeed, writeNodeTime, writeSize } from '../format/amounts/amounts.ts';
import { phrase } from '../words/changes.ts';
import {
  describeProblem,
  describeShortage,
  nameOf,
  type Told,
  writePlace,
} from './describe-problem.ts';

/** Describes a problem, also one of sharing out, in the units that people use. */
export function describeRefusal(problem: Told): string {
  return describers[nameOf(problem)]?.(problem) ?? describeProblem(problem);
}

const describers: Readonly<Record<string, (problem: Told) => string | undefined>> = {
  'budget-too-small': (problem) => {
    const short = describeShortage(problem);
    return short && phrase('problem.budgetTooSmall', short);
  },
  'not-from-budget': () => phrase('problem.notFromBudget'),
  'quota-in-use': describeUse,
};

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
