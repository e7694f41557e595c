import type { Hold } from '../quotas/quota.ts';

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

/** The state of a job's way through its HPC system, internal to Slipway. */
export interface JobLife {
  /** The system's own name for the job, once it has been handed over. */
  readonly handle: string | undefined;
  /** How often it was taken up: from the second time on, the system may have it already. */
  readonly attempts: number;
  /** When it was first seen running. */
  readonly runningSince: Date | undefined;
  /** Since when the system says that it does not know the job. */
  readonly unknownSince: Date | undefined;
  /** Cancelled here, and not yet there. */
  readonly cancelPending: boolean;
}

/** What the job was asked to run. */
export interface JobRequest {
  readonly program: string;
  readonly nodes: number;
  readonly coresPerNode: number;
  readonly extras: Readonly<Record<string, string>>;
}
