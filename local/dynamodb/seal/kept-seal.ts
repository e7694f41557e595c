import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type DatabaseFiles, findChangedPage } from './check-seal.ts';
import { frameHeaderBytes, headerBytes, readLog } from './read-log.ts';
import { bootId, type Note, openSealFile, readSeal, type SealFile } from './seal-file.ts';

/**
 * The log is moved to the main file at this length. A page that changed many times until then needs
 * one write and one checksum.
 */
const mostFrames = 2000;

/** Copies the log as it grows. It must not throw, because commits stand without it. */
export interface LogFollower {
  /** The log with these salts is committed up to this length, in bytes. */
  noteLength(salts: string, length: number): void;
  /** The next commit may begin a new log in the place of this one. */
  keepRest(): void;
}

/**
 * Maintains the seal of an open database. Records the length of the log after each commit. When the
 * log is moved to the main file, writes the checksums of its pages to disk before the log restarts.
 * The process may be killed at any point: pages that were about to be written are still in the log,
 * and the check skips those.
 */
export class KeptSeal {
  readonly #files: DatabaseFiles;
  readonly #file: SealFile;
  readonly #countFrames: StatementSync;
  readonly #moveLog: StatementSync;
  #note: Note;
  #log: number | undefined;
  /** Inode, size and time of the main file after our last write. */
  #main: string;
  /** Whether the log may have restarted since the last note, so its salts must be read again. */
  #isNewLog = true;
  #follower: LogFollower | undefined;

  /** Takes over a sealed database whose log SQLite has replayed. */
  constructor(files: DatabaseFiles, connection: DatabaseSync) {
    const seal = readSeal(files.seal);
    if (!seal) throw new Error(`${files.seal} is missing.`);
    this.#files = files;
    this.#note = { ...seal.note, boot: bootId(), salts: null, frames: 0, closed: false };
    this.#file = openSealFile(files.seal);
    this.#countFrames = connection.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#moveLog = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    // Keep the previous note until everything that it covers is in the main file.
    this.#moveIntoMain();
    this.#main = describeFile(files.main);
    this.#file.writeNote(this.#note);
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
  }

  /** Reads bytes of the log that a follower was told of. */
  readLog(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    this.#read(bytes, position);
    return bytes;
  }

  /** Describes changes to the files by another process. Returns undefined if there are none. */
  findInterference(): string | undefined {
    if (describeFile(this.#files.main) !== this.#main && this.#isMainChanged()) {
      return 'table.sqlite was changed or removed by something else';
    }
    const isLogNeeded = this.#note.frames > 0;
    if (isLogNeeded && describeFile(this.#files.log) === missing) {
      return 'table.sqlite-wal was removed by something else';
    }
    return undefined;
  }

  /**
   * Records a commit in the seal. Never throws, because the commit stands even if the note fails.
   */
  noteCommit(): void {
    try {
      const frames = this.#logLength();
      if (frames <= 0) return;
      const salts = this.#isNewLog ? this.#readSalts() : this.#note.salts;
      // After a checkpoint, a commit without changes leaves the log as it was.
      if (this.#isNewLog && salts === this.#note.salts) return;
      this.#isNewLog = false;
      this.#note = { ...this.#note, salts, frames };
      this.#file.writeNote(this.#note);
      if (salts !== null) this.#follower?.noteLength(salts, this.#placeOf(frames));
      if (frames >= mostFrames) this.#moveIntoMain();
    } catch {
      // The disk is full. The log grows until it can be moved.
    }
  }

  /** Returns false if sealing failed. Then the caller must not close the SQLite connection. */
  close(): boolean {
    try {
      if (!this.#moveIntoMain()) return false;
      this.#note = { ...this.#note, closed: true };
      this.#file.writeNote(this.#note);
      this.#file.flush();
      return true;
    } catch {
      return false;
    } finally {
      this.#file.close();
      if (this.#log !== undefined) closeSync(this.#log);
    }
  }

  /** Compares checksums, because a file that was only touched has new times but equal content. */
  #isMainChanged(): boolean {
    const found = describeFile(this.#files.main);
    const seal = readSeal(this.#files.seal);
    if (found === missing || !seal) return true;
    // Never closed, because closing it would release SQLite's locks.
    const main = openSync(this.#files.main, 'r');
    const isChanged = findChangedPage(seal, readLog(this.#files.log), main) !== undefined;
    if (!isChanged) this.#main = found;
    return isChanged;
  }

  #logLength(): number {
    return Number(this.#countFrames.get()?.log);
  }

  /** Moves the log into the main file. Returns false if part of the log remains. */
  #moveIntoMain(): boolean {
    const length = this.#logLength();
    if (length <= 0) return true;
    const salts = this.#readSalts();
    const { latest, pages } = this.#listPages(length);
    this.#follower?.noteLength(salts, this.#placeOf(length));
    this.#follower?.keepRest();
    // Reserve space for new checksums first. If that fails, the log must stay.
    this.#file.reserve(this.#note.pages, pages);
    const moved = this.#tryToMove();
    if (moved?.log !== length || moved.checkpointed !== length) return false;
    this.#file.writeSums(this.#sumFrames(latest));
    this.#note = { ...this.#note, pages, salts, frames: 0 };
    this.#file.writeNote(this.#note);
    this.#file.flush();
    this.#isNewLog = true;
    return true;
  }

  /**
   * Describes the main file again even after an error, because a full disk allows partial writes.
   */
  #tryToMove(): ReturnType<StatementSync['get']> {
    try {
      return this.#moveLog.get();
    } finally {
      this.#main = describeFile(this.#files.main);
    }
  }

  /** Returns the latest frame of each page, and the page count after the last commit. */
  #listPages(length: number): { latest: Map<number, number>; pages: number } {
    const latest = new Map<number, number>();
    const header = Buffer.alloc(8);
    for (let frame = 0; frame < length; frame += 1) {
      this.#read(header, this.#placeOf(frame));
      latest.set(header.readUInt32BE(0), frame);
    }
    return { latest, pages: header.readUInt32BE(4) };
  }

  #sumFrames(latest: ReadonlyMap<number, number>): Map<number, number> {
    const content = Buffer.alloc(this.#note.pageSize);
    const sums = new Map<number, number>();
    for (const [page, frame] of latest) {
      this.#read(content, this.#placeOf(frame) + frameHeaderBytes);
      sums.set(page, crc32(content));
    }
    return sums;
  }

  #placeOf(frame: number): number {
    return headerBytes + frame * (frameHeaderBytes + this.#note.pageSize);
  }

  #readSalts(): string {
    const salts = Buffer.alloc(8);
    this.#read(salts, 16);
    return salts.toString('hex');
  }

  #read(into: Buffer, position: number): void {
    this.#log ??= openSync(this.#files.log, 'r');
    readSync(this.#log, into, 0, into.length, position);
  }
}

const missing = 'missing';

/** Identifies a version of a file. In WAL mode, the main file changes only at checkpoints. */
function describeFile(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : missing;
}
