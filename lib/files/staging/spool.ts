import { randomUUID } from 'node:crypto';
import { promises } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type { ZipPart } from '#lib/zips/compose-zip.ts';
import { FailedTry } from './call-out.ts';
import type { Destination } from './fetch-inputs.ts';

/** How much of a file is in memory when it is read again. */
const pieceBytes = 1_000_000;

/** A place on the disk of this process where fetched files wait until a zip is made of them. */
export interface Spool extends Destination {
  /** The files that were kept, to be read until the spool is closed. */
  listParts(): ZipPart[];
  close(): Promise<void>;
}

/**
 * Opens a spool for files that have at most so many bytes together. All of them are in one file
 * without a name, so nobody else can open it, and nothing is left if the process dies.
 */
export async function openSpool(mostBytes: number): Promise<Spool> {
  const path = join(tmpdir(), `slipway-inputs-${randomUUID()}`);
  const disk = await promises.open(path, 'wx+', 0o600);
  await promises.unlink(path);
  const kept: ZipPart[] = [];
  let [begin, end, checksum] = [0, 0, 0];

  async function add(chunk: Buffer): Promise<void> {
    if (end + chunk.length > mostBytes) {
      throw new FailedTry(`together the inputs are larger than ${mostBytes} bytes`, true);
    }
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await disk.write(chunk, at, chunk.length - at, end + at);
      at += bytesWritten;
    }
    end += chunk.length;
    checksum = crc32(chunk, checksum);
  }

  async function* read(from: number, to: number): AsyncGenerator<Uint8Array> {
    for (let at = from; at < to; ) {
      const piece = Buffer.alloc(Math.min(pieceBytes, to - at));
      const { bytesRead } = await disk.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw new Error('A fetched file has become shorter.');
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  return {
    async empty() {
      [end, checksum] = [begin, 0];
    },
    append() {
      const stdin = new Writable({
        write: (chunk: Buffer, _encoding, done) => void add(chunk).then(() => done(), done),
      });
      const written = finished(stdin);
      // Told by `done`, and never before.
      written.catch(() => undefined);
      return {
        stdin,
        async done() {
          stdin.end();
          await written.catch((error: unknown) => {
            if (error instanceof FailedTry) throw error;
            throw new FailedTry('there is no space for it', true);
          });
        },
      };
    },
    async keep(name) {
      const [from, to] = [begin, end];
      const sizes = { packedBytes: to - from, expandedBytes: to - from };
      const open = () => read(from, to);
      kept.push({ name, isDeflated: false, crc32: checksum, mode: 0, ...sizes, open });
      [begin, checksum] = [end, 0];
    },
    listParts: () => [...kept],
    close: () => disk.close(),
  };
}
