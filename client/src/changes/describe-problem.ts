import { writeNeed, writeRest, writeSize } from '../format/amounts/amounts.ts';
import { tell } from '../format/sentences/tell.ts';
import type { Problem } from '../generated/operations.ts';
import { phrase } from '../words/formats.ts';

/** A problem, or the refusal of one row. */
export type Told = Omit<Problem, 'status' | 'instance'>;

/**
 * Describes a problem in the units that people use, by its members. Problems without such members
 * keep the service's words, in the language of the reader.
 */
export function describeProblem(problem: Told): string {
  return describers[nameOf(problem)]?.(problem) ?? tell(problem.detail);
}

export function nameOf({ type }: Pick<Told, 'type'>): string {
  return type.slice(type.lastIndexOf(':') + 1);
}

const describers: Readonly<Record<string, (problem: Told) => string | undefined>> = {
  'quota-exceeded': (problem) => {
    const short = describeShortage(problem);
    return short && phrase('problem.quotaTooSmall', short);
  },
  'uploads-too-large': describeUploads,
  'invalid-request': ({ errors: [only, ...others] = [] }) =>
    only && others.length === 0 ? `${only.name}: ${tell(only.message)}` : undefined,
  'job-not-found': () => phrase('problem.jobNotFound'),
};

/** Says of what there is too little. */
export function describeShortage(
  problem: Told,
): { readonly place: string; readonly shortages: string } | undefined {
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
  return { place: writePlace(problem), shortages: shortages.join('; ') };
}

function describeUploads({ limit, count }: Told): string | undefined {
  if (limit === undefined || count === undefined) return undefined;
  return phrase('problem.uploadsTooLarge', {
    size: writeSize(count * 1000),
    left: writeSize(limit * 1000, 'floor'),
  });
}

export function writePlace({ project_name: project = '', project_hpc: hpc = '' }: Told): string {
  return phrase('problem.place', { project, hpc: hpc.toLowerCase() });
}
