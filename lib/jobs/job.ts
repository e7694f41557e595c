import * as v from 'valibot';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { Payment } from '#lib/quotas/draws.ts';
import {
  attribute,
  defineItem,
  flag,
  group,
  moment,
  nullable,
  number,
  optional,
  type Stored,
  text,
} from '#lib/table/define-item.ts';
import { type AccountKey, jobIndexKeys, jobKey } from '#lib/table/keys.ts';
import { batchIdField, jobIdField, projectField, userField } from '#lib/table/named-fields.ts';

/** A job as users know it, each field with the name of its attribute. */
export const storedJob = defineItem('job', () => ({
  id: number('id'),
  jobId: jobIdField(),
  owner: userField('owner'),
  project: projectField(),
  title: text('title'),
  /** Hours, as granted. */
  runtime: number('runtime'),
  stage: text('stage'),
  terminal: flag('terminal'),
  failed: flag('failed'),
  submittedAt: moment('init_date'),
  /** Set exactly when the stage turns terminal. */
  endedAt: nullable(moment('end_date')),
  hold: group({ seconds: number('held_seconds'), kilobytes: number('held_kilobytes') }),
  /** The most that the job can cost, in millionths of a US dollar. Only on systems with a price. */
  cost: optional(number('cost')),
  /** Set if the job draws from the budget of its project instead of its owner's quota. */
  drawn: optional(attribute('drawn', v.literal(true))),
  /** The batch that the job was submitted with. */
  batch: optional(group({ id: batchIdField(), index: number('batch_index') })),
  /** Set while the batch counts the job as running. */
  batchRunning: optional(attribute('batch_running', v.literal(true))),
  /** Set if other jobs wait for this one, or did. Its end is then told to them. */
  awaited: optional(attribute('awaited', v.literal(true))),
  /** Whole wall-clock seconds that an ended job ran, as charged. Missing if it never did. */
  ranSeconds: optional(number('ran_seconds')),
  /** Set for a cancelled job that keeps its hold until its system reports how long it ran. */
  awaitsSettlement: optional(attribute('awaits_settlement', v.literal(true))),
}));

export interface Job extends Stored<typeof storedJob> {}

export function jobToItem(job: Job) {
  const account = accountOf(job);
  return {
    ...jobKey(account, job.jobId),
    ...jobIndexKeys(account, job.id),
    ...storedJob.format(job),
  };
}

export const jobFromItem: (stored: unknown) => Job = storedJob.parse;

/** The account under which a job is found, and which pays unless the job draws from a budget. */
export function accountOf({ owner, project }: Pick<Job, 'owner' | 'project'>): AccountKey {
  return { user: owner, hpc: project.hpc, project: project.name };
}

/** Tells which account pays for a job. */
export function paymentOf(job: Pick<Job, 'owner' | 'project' | 'drawn'>): Payment {
  return { account: accountOf(job), drawn: job.drawn };
}

/**
 * True for a cancelled or deleted job. Its files are removed, and the space of its input is given
 * back.
 */
export function isDiscarded({ stage }: Pick<Job, 'stage'>): boolean {
  return stage === ownStages.canceled || stage === ownStages.deleted;
}
