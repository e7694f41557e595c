import { insist, type Outcome } from '../calls/insist.ts';
import { limitCall, timeoutOf } from '../calls/limits.ts';
import type { FilePut, PutFile } from '../calls/put-file.ts';
import type { Settings } from '../calls/settings.ts';
import { ServiceUnreachable } from '../problems/errors.ts';

/** It was there before: the answer to an earlier try was lost. */
const alreadyThere = 412;

/** Another try has not ended there, or there are too many. */
const passing = [409, 429];

/** Sends a file to the storage, which takes it once: again from its beginning where that failed. */
export async function putBlob(settings: Settings, put: FilePut): Promise<void> {
  const { blob, onProgress, signal } = put;
  // Whoever sends it counts the bytes, and no browser lets a page say how many they are.
  const { 'Content-Length': _, ...headers } = put.headers;
  const timeout = timeoutOf(settings);
  const counted = { ...put, timeout, headers, onProgress: onProgress && onlyAhead(onProgress) };
  await insist(settings, signal, () => putOnce(settings, counted));
  onProgress?.(blob.size, blob.size);
}

/** A second try begins anew, and what a person has seen done stays done. */
function onlyAhead(onProgress: NonNullable<FilePut['onProgress']>): FilePut['onProgress'] {
  let most = 0;
  return (done, whole) => {
    if (done <= most) return;
    most = done;
    onProgress(done, whole);
  };
}

async function putOnce(settings: Settings, put: FilePut): Promise<Outcome<number>> {
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

/** Only XMLHttpRequest tells a page how far it has come: `fetch` says nothing before the end. */
function choosePut({ putFile, fetch: request = fetch }: Settings): PutFile {
  const usual: PutFile = (put) => putByFetch(request, put);
  return putFile ?? ('XMLHttpRequest' in globalThis ? putByXhr : usual);
}

/** How far it has come is not told, so all of it has a time. */
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
