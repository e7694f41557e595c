import { choosePause, pause } from '../calls/pause.ts';
import type { FilePut } from '../calls/put-file.ts';
import { usualRetries } from '../calls/send.ts';
import type { Settings } from '../calls/settings.ts';
import { ServiceUnreachable } from '../problems/errors.ts';

/** It was there before: the answer to an earlier try was lost. */
const alreadyThere = 412;

/** The storage is busy, or another try has not ended there. */
const passing = (status: number) => status >= 500 || status === 409 || status === 429;

/** Sends a file to the storage, which takes it once: again from its beginning where that failed. */
export async function putBlob(settings: Settings, put: FilePut): Promise<void> {
  const { retries = usualRetries, pause: wait = pause } = settings;
  const { blob, onProgress, signal } = put;
  const counted = { ...put, onProgress: onProgress && onlyAhead(onProgress) };
  for (let attempt = 0; ; attempt += 1) {
    const status = await putOnce(settings, counted);
    if (status !== undefined && (status < 300 || status === alreadyThere)) break;
    if (attempt >= retries || (status !== undefined && !passing(status))) throw failed(status);
    await wait(choosePause(attempt), signal);
  }
  onProgress?.(blob.size, blob.size);
}

function failed(status: number | undefined): ServiceUnreachable {
  return new ServiceUnreachable(
    status === undefined ? 'The storage did not answer.' : `The storage answered ${status}.`,
  );
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

/** Its status, or nothing if no answer came. */
async function putOnce(
  { putFile, fetch: request = fetch }: Settings,
  put: FilePut,
): Promise<number | undefined> {
  const allowed = { ...put, headers: withoutLength(put.headers) };
  try {
    if (putFile) return await putFile(allowed);
    // Only XMLHttpRequest tells a page how far it has come: `fetch` says nothing before the end.
    return await ('XMLHttpRequest' in globalThis
      ? putByXhr(allowed)
      : putByFetch(request, allowed));
  } catch {
    put.signal?.throwIfAborted();
    return undefined;
  }
}

async function putByFetch(
  request: typeof fetch,
  { address, headers, blob, signal }: FilePut,
): Promise<number> {
  const { status } = await request(address, {
    method: 'PUT',
    headers,
    body: blob,
    ...(signal && { signal }),
  });
  return status;
}

function putByXhr({ address, headers, blob, onProgress, signal }: FilePut): Promise<number> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', address);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = xhr.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(blob);
  });
}

/** Whoever sends it counts the bytes, and no browser lets a page say how many they are. */
function withoutLength(headers: FilePut['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
  );
}
