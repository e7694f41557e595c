import {
  closeSync,
  constants,
  fdatasyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { DamageError, OtherLayoutError } from '../values/errors.ts';

/** Facts about the database, recorded outside of it. */
const Note = v.object({
  version: v.literal(1),
  /**
   * The boot of the machine in which the note was written. After a reboot, the last writes may be
   * missing.
   */
  boot: v.string(),
  pageSize: v.number(),
  /** How many pages of the main file have a checksum. */
  pages: v.number(),
  /** Salts of the current log, or null if nothing was committed since opening. */
  salts: v.nullable(v.string()),
  /** How many frames of the log must be replayed. 0 once all are in the main file. */
  frames: v.number(),
  /** Whether the database was closed properly, so that everything is in the main file. */
  closed: v.boolean(),
});

export type Note = v.InferOutput<typeof Note>;

export interface Seal {
  readonly note: Note;
  /** Four bytes per page. */
  readonly sums: Buffer;
}

/** Fits one disk block, so that a note is never half written. */
const noteBytes = 512;

/** Returns undefined if the folder is new or was written by a version without seals. */
export function readSeal(file: string): Seal | undefined {
  const bytes = readIfPresent(file);
  if (!bytes) return undefined;
  const note = v.safeParse(Text, bytes.toString('latin1', 0, noteBytes));
  if (note.success && note.output.version !== 1) throw new OtherLayoutError();
  const sums = bytes.subarray(noteBytes);
  if (!v.is(Note, note.output) || sums.length < note.output.pages * 4) {
    throw new DamageError('table.seal cannot be read');
  }
  return { note: note.output, sums };
}

const Text = v.pipe(v.string(), v.parseJson(), v.looseObject({ version: v.number() }));

export function readIfPresent(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Seals a database. Its log must be in the main file, and nothing may write to it meanwhile. */
export function writeSeal(file: string, main: number, pageSize: number): void {
  // Write to a draft and rename it, so that a kill cannot leave half a seal.
  const draft = `${file}.draft`;
  const seal = openSealFile(draft);
  const sums = sumPages(main, pageSize);
  seal.writeSums(new Map(sums.map((sum, index) => [index + 1, sum])));
  const fresh = { version: 1, boot: bootId(), salts: null, frames: 0, closed: false } as const;
  seal.writeNote({ ...fresh, pageSize, pages: sums.length });
  seal.flush();
  seal.close();
  renameSync(draft, file);
}

export type SealFile = ReturnType<typeof openSealFile>;

/** Opens the file, or creates it if missing. */
export function openSealFile(file: string) {
  const opened = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  return {
    writeNote(note: Note): void {
      writeSync(opened, `${JSON.stringify(note)}\n`.padEnd(noteBytes), 0, 'latin1');
    },
    /** Takes checksums by page number. */
    writeSums(sums: ReadonlyMap<number, number>): void {
      const bytes = Buffer.alloc(4);
      for (const [page, sum] of sums) {
        bytes.writeUInt32LE(sum);
        writeSync(opened, bytes, 0, 4, noteBytes + (page - 1) * 4);
      }
    },
    /** Reserves space for the checksums of new pages. */
    reserve(known: number, needed: number): void {
      const missing = Buffer.alloc(Math.max(0, needed - known) * 4);
      if (missing.length > 0) writeSync(opened, missing, 0, missing.length, noteBytes + known * 4);
    },
    flush: () => fdatasyncSync(opened),
    close: () => closeSync(opened),
  };
}

const chunkPages = 256;

/** Returns the checksum of each page. The last page may be truncated. */
export function sumPages(main: number, pageSize: number): number[] {
  const sums: number[] = [];
  const chunk = Buffer.alloc(pageSize * chunkPages);
  for (let position = 0; ; ) {
    const count = readSync(main, chunk, 0, chunk.length, position);
    if (count === 0) return sums;
    for (let at = 0; at < count; at += pageSize) {
      sums.push(crc32(chunk.subarray(at, Math.min(at + pageSize, count))));
    }
    position += count;
  }
}

/** Identifies the current boot: exactly on Linux, to the minute elsewhere. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `since minute ${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}
