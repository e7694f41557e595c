import { DomainError } from '#lib/errors/domain-error.ts';
import {
  CredentialsRefusedError,
  SystemBusyError,
  SystemUnavailableError,
  TransferTooSlowError,
} from '#lib/hpc/errors.ts';
import { logger } from '#lib/telemetry/logger.ts';
import type { Job } from '../../job.ts';

/**
 * Tells the owner of a job why it was not handed over: in the system's own words where it has said
 * something. The message of an error is for the log, because it may name hosts and ports of a
 * system, or what went wrong inside of Slipway.
 */
export function explainFailedHandOver(error: unknown): string {
  if (error instanceof TransferTooSlowError) {
    return 'The input did not reach the HPC system in time. It will be sent again.';
  }
  if (error instanceof SystemUnavailableError) {
    return `${error.said ?? 'The HPC system did not answer.'} It will be tried again.`;
  }
  if (error instanceof SystemBusyError) {
    return `${error.said ?? 'The HPC system accepts no more jobs right now.'} It will be tried again.`;
  }
  if (error instanceof CredentialsRefusedError) {
    return 'The HPC system does not accept the credentials of this service.';
  }
  return 'The job could not be handed over. It will be tried again.';
}

/** Where an error of the domain was thrown says nothing that its message does not. */
export function logFailedHandOver({ jobId, project: { hpc } }: Job, error: unknown): void {
  const known = error instanceof DomainError;
  const told = known ? { name: error.name, message: error.message } : error;
  logger.warn('hand-over failed', { hpc, jobId, error: told });
}
