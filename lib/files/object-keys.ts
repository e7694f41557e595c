/**
 * Where the files of jobs are, in either bucket below their owner. No part can hold a '/': owners
 * are digits, job ids are [A-Z0-9_-], upload ids are UUIDs.
 */
export function inputKey(owner: string, jobId: string): string {
  return `${owner}/${jobId}.zip`;
}

/** Job ids are written in upper case, so none of them can be called `uploads`. */
export function uploadedKey(owner: string, uploadId: string): string {
  return `${owner}/uploads/${uploadId}.zip`;
}

export function resultsKey(owner: string, jobId: string): string {
  return `${owner}/${jobId}.zip`;
}

/** On its way to whoever asked for it, not kept: owners are digits, so none is called `relay`. */
export function relayKey(owner: string, jobId: string, fileId: string): string {
  return `relay/${owner}/${jobId}/${fileId}`;
}
