import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type DatabaseFiles, findChangedPage } from './check-seal.ts';
import { frameHeaderBytes, headerBytes, readLog } from './read-log.ts';
import { bootId, type Note, openSealFile, readSeal, type SealFile } from './seal-file.ts';

/** The changes of a page up to here become one write to the main file, and one sum. */
const mostFrames = 2000;

/**
 * Keeps the seal of an open database. What was committed to the log is noted after each commit, and
 * when the log is moved into the main file, the pages get their sums, which are on the disk before
 * the log is begun anew. A process may be killed at any moment in between: the pages that it was
 * about to write are still in the log, and those are not compared.
 */
export class KeptSeal {
  readonly #files: DatabaseFiles;
  readonly #file: SealFile;
  readonly #countFrames: StatementSync;
  readonly #moveLog: StatementSync;
  #note: Note;
  #log: number | undefined;
  /** How the main file looked when it was last written. */
  #main: string;
  /** Whether the log may have been begun anew since the note, so that its salts are to be read. */
  #isNewLog = true;

  /** Takes over a sealed database whose log SQLite has replayed. */
  constructor(files: DatabaseFiles, connection: DatabaseSync) {
    const seal = readSeal(files.seal);
    if (!seal) throw new Error(`${files.seal} is missing.`);
    this.#files = files;
    this.#note = { ...seal.note, boot: bootId(), salts: null, frames: 0, closed: false };
    this.#file = openSealFile(files.seal);
    this.#countFrames = connection.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#moveLog = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    // The note of before is good until all that it speaks of is in the main file.
    this.#moveIntoMain();
    this.#main = describeFile(files.main);
    this.#file.writeNote(this.#note);
  }

  /** Says what somebody else has done to the files, as far as it shows from outside. */
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

  /** Behind each commit. It stays committed if the note fails, so its caller is not told otherwise. */
  noteCommit(): void {
    try {
      const frames = this.#logLength();
      if (frames <= 0) return;
      const salts = this.#isNewLog ? this.#readSalts() : this.#note.salts;
      // A commit that changed nothing leaves the log that has gone into the main file as it was.
      if (this.#isNewLog && salts === this.#note.salts) return;
      this.#isNewLog = false;
      this.#note = { ...this.#note, salts, frames };
      this.#file.writeNote(this.#note);
      if (frames >= mostFrames) this.#moveIntoMain();
    } catch {
      // The disk is full. The log grows until it can be moved.
    }
  }

  /** Returns false if not all could be sealed. Then the database must be left as by a kill. */
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

  /** A file that was only touched, or whose times a file system has rounded since, is as it was. */
  #isMainChanged(): boolean {
    const found = describeFile(this.#files.main);
    const seal = readSeal(this.#files.seal);
    if (found === missing || !seal) return true;
    // It stays open until the process ends, because closing it would end the locks of SQLite.
    const main = openSync(this.#files.main, 'r');
    const isChanged = findChangedPage(seal, readLog(this.#files.log), main) !== undefined;
    if (!isChanged) this.#main = found;
    return isChanged;
  }

  #logLength(): number {
    return Number(this.#countFrames.get()?.log);
  }

  /** Says whether nothing is left in the log. */
  #moveIntoMain(): boolean {
    const length = this.#logLength();
    if (length <= 0) return true;
    const salts = this.#readSalts();
    const { latest, pages } = this.#listPages(length);
    // Makes room for new pages first. If that fails, the log must stay.
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

  /** A full disk may let it write a part. */
  #tryToMove(): ReturnType<StatementSync['get']> {
    try {
      return this.#moveLog.get();
    } finally {
      this.#main = describeFile(this.#files.main);
    }
  }

  /** The last frame of each page, and how many pages the database has after the last commit. */
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

/** In SQLite's log mode the main file changes only at checkpoints. */
function describeFile(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : missing;
}
