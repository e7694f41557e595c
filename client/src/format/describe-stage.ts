/** What a stage means to whoever waits, whatever its system calls it. */
export type Meaning =
  | 'waiting'
  | 'starting'
  | 'running'
  | 'finishing'
  | 'done'
  | 'failed'
  | 'cancelled';

export interface StageMeaning {
  readonly meaning: Meaning;
  /** Told apart without colours. */
  readonly icon: string;
}

const icons = {
  waiting: '○',
  starting: '◔',
  running: '●',
  finishing: '◕',
  done: '✔',
  failed: '✘',
  cancelled: '⊘',
} as const satisfies Record<Meaning, string>;

const living: Readonly<Record<string, Meaning>> = {
  READY: 'waiting',
  QUEUED: 'waiting',
  QUEUE: 'waiting',
  PENDING: 'waiting',
  STAGINGIN: 'starting',
  COMMANDRENDERING: 'starting',
  INPUTSTAGING: 'starting',
  RUNNING: 'running',
  SUBMITTED: 'running',
  STAGINGOUT: 'finishing',
  LOAD_RESULTS: 'finishing',
  COMPLETING: 'finishing',
};

/** A word that nobody has told us of is at least of a job that lives: it runs. */
export function describeStage(job: {
  readonly stage: string;
  readonly terminal_stage: boolean;
  readonly failed: boolean;
}): StageMeaning {
  const meaning = findMeaning(job);
  return { meaning, icon: icons[meaning] };
}

function findMeaning({
  stage,
  terminal_stage: ended,
  failed,
}: Parameters<typeof describeStage>[0]): Meaning {
  if (!ended) return living[stage] ?? 'running';
  if (failed) return 'failed';
  return stage === 'CANCELED' ? 'cancelled' : 'done';
}
