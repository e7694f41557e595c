import type { Job } from '#client/src/index.ts';

/** What discarding does to a job: a deleted one has nothing left to discard. */
export type Fate = 'cancel' | 'delete' | 'keep';

export function fateOf({
  stage,
  terminal_stage: ended,
}: Pick<Job, 'stage' | 'terminal_stage'>): Fate {
  if (!ended) return 'cancel';
  return stage === 'DELETED' ? 'keep' : 'delete';
}

/** What became of a job that somebody wanted to cancel or delete. */
export function describeFate(wish: 'cancel' | 'delete', { stage }: Pick<Job, 'stage'>): string {
  if (stage === 'DELETED') return 'The job is deleted.';
  if (wish === 'delete') {
    return 'The job cannot be deleted yet: its system has still to say how long it ran. Try again later.';
  }
  return stage === 'CANCELED'
    ? 'The job is cancelled.'
    : 'The job had ended before it could be cancelled.';
}
