import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { ObjectNotFoundError } from '../errors.ts';
import { outputTailKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { FileSource } from './job-file.ts';

/** The end of a stream, and where in the stream it begins. */
export interface StreamTail {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** What a job has written, as far as it was sent before its results. */
export interface OutputTail {
  readonly stdout: StreamTail;
  readonly stderr: StreamTail;
}

const streams = ['stdout', 'stderr'] as const;
type StreamName = (typeof streams)[number];

/** One object for both streams, overwritten each time: its first line says what follows. */
export function writeOutputTail(tail: OutputTail): Uint8Array {
  const head = streams.map((name) => `${tail[name].from},${tail[name].bytes.length}`).join(' ');
  return Buffer.concat([Buffer.from(`${head}\n`), tail.stdout.bytes, tail.stderr.bytes]);
}

/** Written by ourselves, so it is as it must be. */
function readOutputTail(object: Uint8Array): OutputTail {
  const end = object.indexOf(10);
  const head = Buffer.from(object.subarray(0, end)).toString();
  const [stdoutFrom = 0, stdoutBytes = 0, stderrFrom = 0] = head.split(/[ ,]/).map(Number);
  const rest = object.subarray(end + 1);
  return {
    stdout: { from: stdoutFrom, bytes: rest.subarray(0, stdoutBytes) },
    stderr: { from: stderrFrom, bytes: rest.subarray(stdoutBytes) },
  };
}

/** The two streams of a job that has sent no results (yet, or because it could not). */
export function openOutputTail(results: ObjectStore, owner: UserId, jobId: JobId): FileSource {
  async function read(): Promise<OutputTail | undefined> {
    try {
      return readOutputTail(await results.read(outputTailKey(owner, jobId)));
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    }
  }
  return {
    async list() {
      const tail = await read();
      if (!tail) return [];
      return streams.map((name) => {
        const { from, bytes } = tail[name];
        return { id: name, name, bytes: bytes.length, ...(from > 0 && { startsAt: from }) };
      });
    },
    async fetch(fileId) {
      const tail = isStreamName(fileId) ? await read() : undefined;
      if (!tail || !isStreamName(fileId)) throw new RemoteFileNotFoundError();
      const { from, bytes } = tail[fileId];
      return { kind: 'bytes', name: fileId, bytes, startsAt: from };
    },
  };
}

export function isStreamName(fileId: string): fileId is StreamName {
  return streams.some((name) => name === fileId);
}
