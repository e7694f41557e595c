import { SlipwayProblem, type Timeline } from '#client/src/index.ts';

export type Awaited = NonNullable<Timeline['after']>[number];
export type Successor = NonNullable<Timeline['awaited_by']>[number];

/** Jobs of a chain that are not next to the job in question. */
export interface Farther {
  readonly earlier: readonly Awaited[];
  readonly later: readonly Successor[];
  /** Whether there may be more, because the number of requests is limited. */
  readonly cut: boolean;
}

/** Timelines that are read for one chain. */
const mostRead = 20;

/** Follows a chain in both directions, step by step, from the timeline of one of its jobs. */
export async function exploreChain(
  timeline: Timeline,
  read: (job: Awaited | Successor) => Promise<Timeline>,
  most = mostRead,
): Promise<Farther> {
  let left = most;
  let cut = false;
  const seen = new Set([timeline.job_id]);
  const takeNew = <Job extends { readonly job_id: string }>(jobs: readonly Job[]): Job[] =>
    jobs.filter(({ job_id: id }) => !seen.has(id) && seen.add(id));
  const readAll = async (jobs: readonly (Awaited | Successor)[]): Promise<Timeline[]> => {
    const asked = jobs.slice(0, left);
    cut ||= asked.length < jobs.length;
    left -= asked.length;
    const answers = await Promise.all(asked.map((job) => read(job).catch(skipMissing)));
    return answers.filter((answer) => answer !== undefined);
  };
  const earlier: Awaited[] = [];
  const later: Successor[] = [];
  let before = takeNew(timeline.after ?? []);
  let behind = takeNew(timeline.awaited_by ?? []);
  while (left > 0 && before.length + behind.length > 0) {
    before = takeNew((await readAll(before)).flatMap(({ after = [] }) => after));
    behind = takeNew((await readAll(behind)).flatMap(({ awaited_by: then = [] }) => then));
    earlier.unshift(...before);
    later.push(...behind);
  }
  return { earlier, later, cut: cut || before.length + behind.length > 0 };
}

/** A batch has no timeline, so the chain is shown without what lies behind it. */
function skipMissing(error: unknown): undefined {
  if (error instanceof SlipwayProblem && error.status === 404) return undefined;
  throw error;
}
