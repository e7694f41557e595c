import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { wasWritten } from '#lib/table/writes/was-written.ts';
import { accountOf } from '../../job.ts';
import {
  addHandOver,
  cutOff,
  type HandOver,
  type JobLife,
  storedLife,
} from '../../life/job-life.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';

/** A job that cuts off whoever hands it over, again and again, is not worth its neighbours. */
const cutOffsToFail = 3;

/** Whether one more hand-over would be one too many. */
export function isHopeless(life: JobLife): boolean {
  return countCutOffs(life) >= cutOffsToFail;
}

export const whyHopeless =
  `The job could not be handed over: ${cutOffsToFail} times in a row that ended the process that ` +
  'did it, or took longer than it may. It is not tried again.';

/** Of a life that nobody has a lease of, a hand-over that has not ended was cut off. */
function countCutOffs({ tryingSince, cutOffs }: JobLife): number {
  return tryingSince === undefined ? cutOffs : cutOffs + 1;
}

/** All hand-overs, with the one that was cut off. */
export function noteCutOff(life: JobLife): readonly HandOver[] {
  return life.tryingSince ? addHandOver(life, life.tryingSince, cutOff) : life.handOvers;
}

/**
 * Takes a job up for its hand-over, until a moment by which this process is gone if it does not
 * end before: a second hand-over beside the first would be a second job. Written down with what
 * became of the one before, so that none is lost that kills its process. Nothing where somebody
 * else was first, or it was cancelled meanwhile.
 */
export async function beginHandOver(
  { table, system }: Pick<Sweep, 'table' | 'system'>,
  { job, life }: ActiveJob,
  now: Date,
  until: Date,
): Promise<JobLife | undefined> {
  if (life.dueAt === undefined) return undefined;
  const begun: JobLife = {
    ...life,
    dueAt: until,
    takeUps: life.takeUps + 1,
    tryingSince: now,
    cutOffs: countCutOffs(life),
    handOvers: noteCutOff(life),
    systemCounts: traitsOf(system).countsCancelledTime,
  };
  const { tries } = storedLife.formatPart({ handOvers: begun.handOvers });
  const counts = begun.systemCounts ? ', system_counts = :counts' : '';
  const isOurs = await wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: jobLifeKey(accountOf(job), job.jobId),
        UpdateExpression:
          `SET due_at = :until, trying_since = :now, cut_offs = :cutOffs, tries = :tries${counts} ` +
          'ADD attempts :one',
        ConditionExpression: 'due_at = :seen AND attribute_not_exists(cancel_pending)',
        ExpressionAttributeValues: {
          ':until': until.toISOString(),
          ':now': now.toISOString(),
          ':cutOffs': begun.cutOffs,
          ':tries': tries,
          ...(begun.systemCounts && { ':counts': true }),
          ':one': 1,
          ':seen': life.dueAt.toISOString(),
        },
      }),
    ),
  );
  return isOurs ? begun : undefined;
}
