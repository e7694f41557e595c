import type { Job, System } from '../../generated/operations.ts';
import { findTranslation } from '../../words/language.ts';
import { term } from '../../words/terms.ts';

/** What a stage means to the person who waits; `unknown` if the service does not say. */
export type Meaning = System['stage_meanings'][string] | 'unknown';

export interface StageView {
  readonly meaning: Meaning;
  /** What people read: the meaning, or the system's own word if nobody knows what it means. */
  readonly label: string;
  /** Tells stages apart without colours. */
  readonly icon: string;
}

/**
 * Names a stage that a job was in: by the word of its system, or by what it means where that is not
 * the language of the reader.
 */
export function nameStage(stage: string, meaning: Meaning): string {
  const own = meaning === 'unknown' ? undefined : findTranslation('terms', meaning);
  return typeof own === 'string' ? own : stage.toLowerCase();
}

export type StageOf = (
  job: Pick<Job, 'project_hpc' | 'stage' | 'terminal_stage' | 'failed'>,
) => StageView;

const icons = {
  waiting: '○',
  starting: '◔',
  running: '●',
  finishing: '◕',
  done: '✔',
  failed: '✘',
  cancelled: '⊘',
  deleted: '⊘',
  unknown: '◌',
} as const satisfies Record<Meaning, string>;

/** Describes a meaning that is not a job's stage, such as that of a batch. */
export function viewMeaning(meaning: Meaning): StageView {
  return { meaning, label: term(meaning), icon: icons[meaning] };
}

/** Returns what describes the stages of jobs, by what the service says about its systems. */
export function describeStages(
  systems: readonly Pick<System, 'project_hpc' | 'stage_meanings'>[],
): StageOf {
  const bySystem = new Map(systems.map((each) => [each.project_hpc, each.stage_meanings]));
  return (job) => {
    const meaning = findMeaning(job, bySystem.get(job.project_hpc));
    return {
      meaning,
      label: meaning === 'unknown' ? job.stage : term(meaning),
      icon: icons[meaning],
    };
  };
}

function findMeaning(
  { stage, terminal_stage: ended, failed }: Parameters<StageOf>[0],
  meanings: System['stage_meanings'] | undefined,
): Meaning {
  const known = meanings?.[stage];
  if (known === 'deleted') return known;
  if (failed) return 'failed';
  // The catalog may have dropped the word since, but a job that ended without failing is done.
  if (ended && meanings !== undefined && known !== 'cancelled') return 'done';
  return known ?? 'unknown';
}
