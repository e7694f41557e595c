import { isBatchId } from '#lib/catalog/identifiers.ts';
import type { Awaited } from './awaited.ts';
import type { AwaitedState, Condition } from './waits.ts';

/** More than this many are only counted, so that the reason stays short. */
const mostNamed = 3;

/** Explains what a job waits for: "Waiting for 3A5F (running on hpc_one)." */
export function explainWait(
  open: readonly Pick<Awaited, 'id' | 'stage' | 'hpc'>[],
): string | undefined {
  if (open.length === 0) return undefined;
  const named = open
    .slice(0, mostNamed)
    .map(({ id, stage, hpc }) => `${id} (${stage.toLowerCase()} on ${hpc})`);
  const rest = open.length - named.length;
  const all = rest > 0 ? [...named, `${rest} more`] : named;
  const [last = '', ...others] = all.toReversed();
  const list = others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
  return `Waiting for ${list}.`;
}

const ends: Readonly<Record<Exclude<AwaitedState, 'active' | 'succeeded'>, string>> = {
  failed: 'has failed',
  cancelled: 'was cancelled',
  deleted: 'was deleted',
};

/** Says how a job ended that should have ended well: "3A5F on hpc_one has failed". */
export function explainBroken({ id, hpc, state }: Pick<Awaited, 'id' | 'hpc' | 'state'>): string {
  const end = state === 'active' || state === 'succeeded' ? 'is not available' : ends[state];
  return `${id} on ${hpc} ${end}`;
}

type Broken = Pick<Awaited, 'id' | 'hpc' | 'state'> & Pick<Condition, 'givesInput'>;

/** Explains why a job that waited will never run. */
export function explainEnd(broken: Broken): string {
  const canLeaveOut = broken.givesInput && isBatchId(broken.id) && broken.state !== 'deleted';
  const reason = `Cancelled because ${explainBroken(broken)}.`;
  return canLeaveOut ? `${reason} ${leaveOutHint}` : reason;
}

/** What to do if a batch has failed whose results become an input. */
export const leaveOutHint = 'To take the results of its other jobs, set input_failed to leave_out.';
