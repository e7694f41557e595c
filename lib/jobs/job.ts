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
}

/** What the job was asked to run. */
export interface JobRequest {
  readonly program: string;
  readonly nodes: number;
  readonly coresPerNode: number;
  readonly extras: Readonly<Record<string, string>>;
  /** Where its zip is; a job may have none. */
  readonly input?: { readonly fileName: string; readonly key: string };
}

/** The account that pays for a job, and under which it is found. */
export function accountOf({ owner, project }: Pick<Job, 'owner' | 'project'>): AccountKey {
  return { user: owner, hpc: project.hpc, project: project.name };
}
