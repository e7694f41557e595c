import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Progress } from '../../calls/put-file.ts';
import type { FileOfJob } from '../../jobs/read-file.ts';
import { ServiceUnreachable } from '../../problems/errors.ts';
import type { Slipway } from '../../slipway.ts';

export interface SaveOptions {
  /** Told how many bytes have been written, of how many. */
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

const tries = 3;

/**
 * Writes a file of a job to the disk, and says how many bytes it has. It has its name once all of it
 * is there; what was there before is replaced.
 */
export async function saveFile(
  client: Pick<Slipway, 'readFile'>,
  file: FileOfJob,
  path: string,
  options: SaveOptions = {},
): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  try {
    const bytes = await receive(client, file, part, options);
    await rename(part, path);
    return bytes;
  } finally {
    await rm(part, { force: true });
  }
}

/** A connection that breaks in the middle is begun anew. */
async function receive(
  client: Pick<Slipway, 'readFile'>,
  file: FileOfJob,
  part: string,
  { onProgress, signal }: SaveOptions,
): Promise<number> {
  for (let left = tries; ; ) {
    const answer = await client.readFile(file, { ...(signal && { signal }) });
    try {
      return await writeBody(answer, part, { onProgress, signal });
    } catch (error) {
      signal?.throwIfAborted();
      left -= 1;
      if (left === 0 || isOfDisk(error)) throw error;
    }
  }
}

async function writeBody(answer: Response, part: string, { onProgress, signal }: SaveOptions) {
  const announced = answer.headers.get('content-length');
  const whole = announced === null ? 0 : Number(announced);
  let written = 0;
  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of answer.body ?? []) {
      yield chunk;
      written += chunk.length;
      onProgress?.(written, Math.max(whole, written));
    }
  }
  await pipeline(count(), createWriteStream(part), { ...(signal && { signal }) });
  if (announced !== null && written !== whole) {
    throw new ServiceUnreachable(`Only ${written} of ${whole} bytes came.`);
  }
  return written;
}

/** What the disk refuses it refuses the next time as well. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read';
}
