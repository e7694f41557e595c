import type { Job } from '#client/src/index.ts';

/** What discarding does to a job: a cancelled one has given everything back already. */
export type Fate = 'cancel' | 'delete' | 'keep';

export function fateOf({
  stage,
  terminal_stage: ended,
}: Pick<Job, 'stage' | 'terminal_stage'>): Fate {
  if (!ended) return 'cancel';
  return stage === 'CANCELED' || stage === 'DELETED' ? 'keep' : 'delete';
}
