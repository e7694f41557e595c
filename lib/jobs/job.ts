import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { Hold } from '#lib/quotas/quota.ts';
import type { AccountKey } from '#lib/table/keys.ts';

export interface Job {
  readonly id: number;
  readonly jobId: JobId;
  readonly owner: UserId;
  readonly project: {
    readonly number: number;
    readonly hpc: SystemName;
    readonly name: ProjectName;
  };
  readonly title: string;
  /** Hours, as granted. */
  readonly runtime: number;
  readonly stage: string;
  readonly terminal: boolean;
  readonly failed: boolean;
  readonly submittedAt: Date;
  /** Set exactly when the stage turns terminal. */
  readonly endedAt: Date | null;
  readonly hold: Hold;
  /** Cancelled, with its hold kept until its system has said how long it ran. */
  readonly awaitsSettlement?: boolean;
}

/** The account that pays for a job, and under which it is found. */
export function accountOf({ owner, project }: Pick<Job, 'owner' | 'project'>): AccountKey {
  return { user: owner, hpc: project.hpc, project: project.name };
}

/** Cancelled or deleted: its files go, and the space of its input has been given back. */
export function isDiscarded({ stage }: Pick<Job, 'stage'>): boolean {
  return stage === ownStages.canceled || stage === ownStages.deleted;
}
