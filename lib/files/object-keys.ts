import type { JobId, UserId } from '#lib/catalog/identifiers.ts';

/**
 * Where the files of jobs are, in either bucket below their owner. No part can hold a '/': owners
 * are digits, job ids are [A-Z0-9_-], upload ids are UUIDs.
 */
export function inputKey(owner: UserId, jobId: JobId): string {
  return `${owner}/${jobId}.zip`;
}

/** Job ids are written in upper case, so none of them can be called `uploads`. */
export function uploadedKey(owner: UserId, uploadId: string): string {
  return `${owner}/uploads/${uploadId}.zip`;
}

export function resultsKey(owner: UserId, jobId: JobId): string {
  return `${owner}/${jobId}.zip`;
}

/** What a running job has written last, beside its results to come. */
export function outputTailKey(owner: UserId, jobId: JobId): string {
  return `${owner}/${jobId}.output`;
}

/** Holds copies for single downloads. Owners are digits, so none is called `relay`. */
export const relayFolder = 'relay';

export function relayKey(owner: UserId, jobId: JobId, fileId: string): string {
  return `${relayFolder}/${owner}/${jobId}/${fileId}`;
}
