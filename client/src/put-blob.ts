import { ServiceUnreachable } from './errors.ts';
import type { Settings } from './settings.ts';

/** How many bytes of how many have been sent. */
export type Progress = (sent: number, whole: number) => void;

interface Sending {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly blob: Blob;
  readonly onProgress?: Progress;
  readonly signal?: AbortSignal;
}

/** It was there before: an answer to an earlier try was lost. */
const alreadyThere = 412;

/**
 * Sends a file to the storage. Only a browser's XMLHttpRequest tells how far it has come; `fetch`
 * says nothing before the end.
 */
export async function putBlob(settings: Settings, sending: Sending): Promise<void> {
  const status =
    'XMLHttpRequest' in globalThis ? await putByXhr(sending) : await putByFetch(settings, sending);
  if (status >= 300 && status !== alreadyThere) {
    throw new ServiceUnreachable(`The storage answered ${status}.`);
  }
  sending.onProgress?.(sending.blob.size, sending.blob.size);
}

async function putByFetch(
  { fetch: request = fetch }: Settings,
  { address, headers, blob, signal }: Sending,
): Promise<number> {
  const allowed = withoutLength(headers);
  const { status } = await request(address, {
    method: 'PUT',
    headers: allowed,
    body: blob,
    ...(signal && { signal }),
  });
  return status;
}

function putByXhr({ address, headers, blob, onProgress, signal }: Sending): Promise<number> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open('PUT', address);
    for (const [name, value] of Object.entries(withoutLength(headers))) {
      xhr.setRequestHeader(name, value);
    }
    xhr.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = () => reject(new ServiceUnreachable('The storage did not answer.'));
    xhr.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(blob);
  });
}

/** Whoever sends it counts the bytes, and no browser lets a page say how many they are. */
function withoutLength(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
  );
}
