import {
  writeNeed,
  writeNodeTime,
  writeRest,
  writeSize,
  writeSizeLeft,
} from '../format/amounts.ts';
import type { Problem } from '../generated/operations.ts';

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
  'quota-exceeded': (problem) => describeShortage(problem, 'quota'),
  'budget-too-small': (problem) => describeShortage(problem, 'budget'),
  'not-from-budget': () =>
    'An administrator granted a part of this quota, and only administrators can lower, end or remove that part. Ask one of them.',
  'quota-in-use': describeUse,
  'uploads-too-large': describeUploads,
};

function describeShortage(problem: Told, of: 'quota' | 'budget'): string | undefined {
  const { asked, left, charging = 'mixed' } = problem;
  if (!asked || !left) return undefined;
  const shortages = [
    ...(asked.time > left.time
      ? [
          `${writeNeed(asked.time, charging)} were requested, but only ${writeRest(left.time, charging)} remain`,
        ]
      : []),
    ...(asked.space > left.space
      ? [
          `${writeSize(asked.space * 1000)} of space were requested, but only ${writeSizeLeft(left.space * 1000)} remain`,
        ]
      : []),
  ];
  return `The ${of} of ${writePlace(problem)} is too small: ${shortages.join('; ')}.`;
}

function describeUse(problem: Told): string | undefined {
  const { lowest, time, space, charging = 'mixed' } = problem;
  const { living_jobs: active = 0, ended_jobs: ended = 0 } = problem;
  if (lowest) {
    return (
      `The quota of ${writePlace(problem)} cannot be set below ${writeNeed(lowest.time, charging)} ` +
      `and ${writeSize(lowest.space * 1000)} of space: jobs have used or reserved that much. ` +
      'Set that or more, or wait until jobs end and are deleted.'
    );
  }
  if (!time || !space) return undefined;
  const held = `${writeNodeTime(time.held, charging)} and ${writeSize(space.held * 1000)} of space`;
  return (
    `The quota of ${writePlace(problem)} is in use by ${active} active and ${ended} ended jobs, ` +
    `which reserve ${held}. ${adviseRemoval(problem)}`
  );
}

function adviseRemoval({
  living_jobs: active,
  ended_jobs: ended,
  discarded_jobs: discarded,
}: Told): string {
  if (discarded !== undefined) {
    return `${discarded} were cancelled or deleted this time. Try again for the rest.`;
  }
  return active === 0 && ended === 0
    ? 'No job explains this. Ask the operator to reconcile the account.'
    : 'Cancel the active jobs and delete the ended ones first.';
}

function describeUploads({ limit, count }: Told): string | undefined {
  if (limit === undefined || count === undefined) return undefined;
  return (
    `This upload and your other unused ones have ${writeSize(count * 1000)} together, but your ` +
    `quotas have ${writeSizeLeft(limit * 1000)} left. Submit jobs with them, or wait: each is ` +
    'removed 24 hours after it was created.'
  );
}

function writePlace({ project_name: project = '', project_hpc: hpc = '' }: Told): string {
  return `${project} on ${hpc.toLowerCase()}`;
}
