import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { keepsJobs } from '#lib/catalog/sends-results.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { changeIf } from '#lib/table/writes.ts';
import { accountOf } from '../../job.ts';
import {
  addHandOver,
  cutOff,
  type HandOver,
  type JobLife,
  storedLife,
} from '../../life/job-life.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';

/**
 * Fails a job after this many cut-offs in a row. It may crash the process that hands over others,
 * too.
 */
const cutOffsToFail = 3;

export function isHopeless(life: JobLife): boolean {
  return countCutOffs(life) >= cutOffsToFail;
}

export const whyHopeless =
  `The job could not be handed over: ${cutOffsToFail} times in a row that ended the process that ` +
  'did it, or took longer than it may. It is not tried again.';

/** Counts an unfinished hand-over as cut off. Call it only if nobody has a lease on the job. */
function countCutOffs({ tryingSince, cutOffs }: JobLife): number {
  return tryingSince === undefined ? cutOffs : cutOffs + 1;
}

/** Returns all hand-overs, including the one that was cut off. */
export function noteCutOff(life: JobLife): readonly HandOver[] {
  return life.tryingSince ? addHandOver(life, life.tryingSince, cutOff) : life.handOvers;
}

/**
 * Claims a job for its hand-over until a moment by which this process has surely ended, because a
 * second hand-over beside the first would create a second job. Also records that the one before was
 * cut off, so that a hand-over counts even if it kills its process. Returns undefined if somebody
 * else was first or the job was cancelled meanwhile.
 */
export async function beginHandOver(
  { table, system }: Pick<Sweep, 'table' | 'system'>,
  { job, life }: ActiveJob,
  now: Date,
  until: Date,
): Promise<JobLife | undefined> {
  if (life.dueAt === undefined) return undefined;
  const { countsCancelledTime } = traitsOf(system);
  const begun: JobLife = {
    ...life,
    dueAt: until,
    claims: life.claims + 1,
    tryingSince: now,
    cutOffs: countCutOffs(life),
    handOvers: noteCutOff(life),
    kind: system.connector.kind,
    systemCounts: countsCancelledTime,
    systemKeeps: keepsJobs(system),
  };
  const { tries } = storedLife.formatPart({ handOvers: begun.handOvers });
  const isOurs = await changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: {
      due_at: until.toISOString(),
      released: undefined,
      held: undefined,
      trying_since: now.toISOString(),
      cut_offs: begun.cutOffs,
      tries,
      kind: begun.kind,
      ...(begun.systemCounts && { system_counts: true }),
      ...(begun.systemKeeps && { system_keeps: true }),
    },
    add: { attempts: 1 },
    expect: { due_at: life.dueAt.toISOString(), cancel_pending: undefined },
  });
  return isOurs ? begun : undefined;
}
