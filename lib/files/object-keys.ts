import type { BatchId, JobId, UserId } from '#lib/catalog/identifiers.ts';
import type { ProjectKey } from '#lib/table/keys.ts';

/**
 * Builds the keys of job files in both buckets, below their owner. No part can contain a '/':
 * owners are digits, job ids are [A-Z0-9_-], upload ids are UUIDs.
 */
export function inputKey(owner: UserId, jobId: JobId): string {
  return `${owner}/${jobId}.zip`;
}

/** Holds an input that was put together from the results of another job. */
export function takenOverKey(owner: UserId, jobId: JobId): string {
  return `${owner}/${jobId}.taken-over.zip`;
}

/** Job ids are in upper case, so none of them can be `uploads`. */
export function uploadedKey(owner: UserId, uploadId: string): string {
  return `${owner}/uploads/${uploadId}.zip`;
}

/** Holds the zip that the jobs of a batch share. Batch ids are in upper case, too. */
export function batchInputKey(owner: UserId, batchId: BatchId): string {
  return `${owner}/batches/${batchId}.zip`;
}

/** Holds the values of jobs that are run again, until they are created. */
export function batchRowsKey(owner: UserId, batchId: BatchId): string {
  return `${owner}/batches/${batchId}.csv`;
}

/** A run of a job, from 1. Each run sends to keys of its own, because an earlier one may be late. */
export interface SendingRun {
  readonly owner: UserId;
  readonly jobId: JobId;
  readonly run: number;
}

export function resultsKey({ owner, jobId, run }: SendingRun): string {
  return `${owner}/${jobId}${nameRun(run)}.zip`;
}

/** Holds the latest output of a running job, next to its later results. */
export function outputTailKey({ owner, jobId, run }: SendingRun): string {
  return `${owner}/${jobId}${nameRun(run)}.output`;
}

function nameRun(run: number): string {
  return run === 1 ? '' : `.run-${run}`;
}

/** Holds copies made for single downloads. Owners are digits, so none is called `relay`. */
export const relayFolder = 'relay';

export function relayKey(owner: UserId, jobId: JobId, fileId: string): string {
  return `${relayFolder}/${owner}/${jobId}/${fileId}`;
}

/** Holds the list of a project's folder that a job sent last. Owners are digits, so none is called `folders`. */
export function folderListKey({ hpc, project }: ProjectKey): string {
  return `folders/${hpc}/${project}`;
}
