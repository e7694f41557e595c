import type { Hold } from '#lib/quotas/quota.ts';

export interface Job {
  readonly id: number;
  readonly jobId: string;
  readonly owner: string;
  readonly project: { readonly number: number; readonly hpc: string; readonly name: string };
  readonly title: string;
  /** Hours, as granted. */
  readonly runtime: number;
  readonly stage: string;
  readonly terminal: boolean;
  readonly failed: boolean;
  readonly startedAt: Date;
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
