import { DamageError } from '../values/errors.ts';
import { isNext, type Log, readLog } from './read-log.ts';
import { bootId, type Note, readSeal, type Seal, sumPages } from './seal-file.ts';

/** The files of a database. */
export interface DatabaseFiles {
  readonly main: string;
  readonly log: string;
  readonly seal: string;
}

export interface SealCheck {
  /** False for a folder that was never sealed. */
  readonly isSealed: boolean;
  /** Notes for the person who starts the service. */
  readonly warning?: string;
}

/**
 * Compares a database that nobody has open with what was noted of it from outside: every page of
 * the main file with its sum, and the log with the commits that went to it. SQLite itself checks
 * only the structure, and takes a log that was cut off or is missing for one that was never longer.
 * `main` is the main file, opened: its caller closes it, because that ends the locks of SQLite.
 */
export function checkSeal(files: DatabaseFiles, main: number): SealCheck {
  const seal = readSeal(files.seal);
  if (!seal) return { isSealed: false };
  const log = readLog(files.log);
  const warning = compareLog(seal.note, log);
  const page = findChangedPage(seal, log, main);
  if (page !== undefined) {
    throw new DamageError(`page ${page} of table.sqlite is not as it was written`);
  }
  return { isSealed: true, ...(warning !== undefined && { warning }) };
}

/** A page that is in the log may be written to the main file at any time, so its sum says nothing. */
export function findChangedPage(
  { note, sums }: Seal,
  log: Log | undefined,
  main: number,
): number | undefined {
  const inLog = new Set(log?.frames.map(({ page }) => page));
  const found = sumPages(main, note.pageSize);
  for (let page = 1; page <= Math.max(found.length, note.pages); page += 1) {
    const expected = page <= note.pages ? sums.readUInt32LE((page - 1) * 4) : undefined;
    if (found[page - 1] !== expected && !inLog.has(page)) return page;
  }
  return undefined;
}

/** Returns a warning if what is missing from the log may have gone with a power cut. */
function compareLog(note: Note, log: Log | undefined): string | undefined {
  const replayable = log?.replayable ?? 0;
  const isSame = log !== undefined && log.salts === note.salts;
  if (note.frames === 0) {
    if (replayable === 0 || isSame || mayFollow(note, log)) return undefined;
    throw new DamageError('table.sqlite-wal is not the log of this database');
  }
  if (isSame && replayable >= note.frames) return undefined;
  const isOther = log !== undefined && !isSame && !isNext(log.salts, note.salts ?? '');
  if (isOther && replayable > 0) {
    throw new DamageError('table.sqlite-wal is not the log of this database');
  }
  const kept = isSame ? replayable : 0;
  const loss = `table.sqlite-wal lacks ${note.frames - kept} of ${note.frames} pages that were committed to it`;
  if (note.boot === bootId()) throw new DamageError(loss);
  return `The machine was restarted while Slipway was running, and its last changes were lost: ${loss}.`;
}

/** Whether this can be the log that was begun after the note was written. */
function mayFollow(note: Note, log: Log | undefined): boolean {
  if (note.closed || log === undefined) return false;
  return note.salts === null || isNext(note.salts, log.salts);
}
