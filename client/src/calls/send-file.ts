import { ServiceUnreachable } from '../problems/errors.ts';
import { insist, type TryResult } from './insist.ts';
import { limitCall, timeoutOf } from './limits.ts';
import type { FilePut, PutFile } from './put-file.ts';
import type { Settings } from './settings.ts';

/** The file is there already, because the answer to an earlier try was lost. */
const alreadyThere = 412;

/** Another try is still going on, or there are too many. */
const passing = [409, 429];

/** Sends a file to the storage, which accepts it once. Retries start from the beginning. */
export async function sendFile(settings: Settings, put: FilePut): Promise<void> {
  const { blob, onProgress, signal } = put;
  // The platform sets this header itself, and browsers forbid pages to set it.
  const { 'Content-Length': _, ...headers } = put.headers;
  const timeout = timeoutOf(settings);
  const counted = { ...put, timeout, headers, onProgress: onProgress && onlyAhead(onProgress) };
  await insist(settings, signal, () => putOnce(settings, counted));
  onProgress?.(blob.size, blob.size);
}

/** Never reports less than before, although a retry starts from the beginning. */
function onlyAhead(onProgress: NonNullable<FilePut['onProgress']>): FilePut['onProgress'] {
  let most = 0;
  return (done, whole) => {
    if (done <= most) return;
    most = done;
    onProgress(done, whole);
  };
}

async function putOnce(settings: Settings, put: FilePut): Promise<TryResult<number>> {
  try {
    const status = await choosePut(settings)(put);
    if (status < 300 || status === alreadyThere) return { result: status };
    const failure = new ServiceUnreachable(`The storage answered ${status}`);
    return { failure, passing: status >= 500 || passing.includes(status) };
  } catch (cause) {
    put.signal?.throwIfAborted();
    const failure = new ServiceUnreachable('The storage did not answer', { cause });
    return { failure, passing: true };
  }
}

/** Uses XMLHttpRequest, because `fetch` reports no progress of an upload. */
function choosePut({ putFile, fetch: request = fetch }: Settings): PutFile {
  const usual: PutFile = (put) => putByFetch(request, put);
  return putFile ?? ('XMLHttpRequest' in globalThis ? putByXhr : usual);
}

/** Reports no progress, so the whole upload has a time limit. */
async function putByFetch(
  request: typeof fetch,
  { address, headers, blob, signal, timeout }: FilePut,
): Promise<number> {
  const limit = limitCall(timeoutOf({ timeout }, blob.size), signal);
  try {
    const { status } = await request(address, {
      method: 'PUT',
      headers,
      body: blob,
      signal: limit.signal,
    });
    return status;
  } finally {
    limit.end();
  }
}

function putByXhr(put: FilePut): Promise<number> {
  const { address, headers, blob, onProgress, signal } = put;
  const ms = timeoutOf(put);
  const limit = limitCall(ms, signal);
  return new Promise<number>((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', address);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => {
      limit.allow(ms);
      onProgress?.(loaded, total);
    };
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = xhr.onabort = () => reject(limit.signal.reason);
    limit.signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(blob);
  }).finally(limit.end);
}
