import type { RemoteFile } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { ObjectNotFoundError } from '../errors.ts';
import { outputTailKey, type SendingRun } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { choosePage, type FileSource } from './job-file.ts';

/** The end of a stream, and its offset in the stream. */
interface StreamTail {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** The latest output that a job sent before its results. */
export interface OutputTail {
  readonly stdout: StreamTail;
  readonly stderr: StreamTail;
}

const streams = ['stdout', 'stderr'] as const;
type StreamName = (typeof streams)[number];

/**
 * Writes both streams into one object, which is overwritten each time. Its first line gives the
 * lengths.
 */
export function writeOutputTail(tail: OutputTail): Uint8Array {
  const head = streams.map((name) => `${tail[name].from},${tail[name].bytes.length}`).join(' ');
  return Buffer.concat([Buffer.from(`${head}\n`), tail.stdout.bytes, tail.stderr.bytes]);
}

/** Trusts the format, because we wrote the object ourselves. */
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

/** Opens the two streams of a run that has not sent its results yet, or could not. */
export function openOutputTail(results: ObjectStore, run: SendingRun): FileSource {
  async function read(): Promise<OutputTail | undefined> {
    try {
      return readOutputTail(await results.read(outputTailKey(run)));
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    }
  }
  async function list(): Promise<RemoteFile[]> {
    const tail = await read();
    if (!tail) return [];
    return streams.map((name) => {
      const { from, bytes } = tail[name];
      return { id: name, name, bytes: bytes.length, ...(from > 0 && { startsAt: from }) };
    });
  }
  return {
    list,
    page: async (wish) => choosePage(await list(), wish),
    async fetch(fileId) {
      const tail = isStreamName(fileId) ? await read() : undefined;
      if (!tail || !isStreamName(fileId)) throw new RemoteFileNotFoundError();
      const { from, bytes } = tail[fileId];
      return { kind: 'bytes', name: fileId, bytes, startsAt: from };
    },
    async find(name) {
      const tail = isStreamName(name) ? await read() : undefined;
      if (!tail || !isStreamName(name)) return undefined;
      const { from, bytes } = tail[name];
      const length = bytes.length;
      return { id: name, name, bytes: length, content: bytes, ...(from > 0 && { startsAt: from }) };
    },
  };
}

export function isStreamName(fileId: string): fileId is StreamName {
  return streams.some((name) => name === fileId);
}
