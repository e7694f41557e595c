import { openProvided } from './in-process.ts';

/** A call to an HPC system that has ended. */
export interface SystemCall {
  readonly hpc: string;
  readonly call: string;
  /** `refused`: it answered, and said no. `failed`: it did not answer, or not as it should. */
  readonly outcome: 'answered' | 'refused' | 'failed';
  readonly seconds: number;
}

const watcher = openProvided<(call: SystemCall) => void>(() => undefined);

export const reportSystemCall = (call: SystemCall): void => watcher.inUse()(call);

/** Tells a process that keeps figures of each call. On AWS nobody counts them. */
export const watchSystemCalls = watcher.provide;
