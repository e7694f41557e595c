import { DamageError } from '../values/errors.ts';
import { isNext, type Log, readLog } from './read-log.ts';
import { bootId, type Note, readSeal, type Seal, sumPages } from './seal-file.ts';

export interface DatabaseFiles {
  readonly main: string;
  readonly log: string;
  readonly seal: string;
}

/**
 * Compares a closed database with its seal: the checksum of every page of the main file, and the
 * commits that the log must contain. SQLite checks only the structure, and does not notice a
 * truncated or missing log. `main` is the open main file. The caller closes it, because closing it
 * releases SQLite's locks. Returns whether the folder was ever sealed, and a warning to the person
 * who starts the service.
 */
export function checkSeal(files: DatabaseFiles, main: number) {
  const seal = readSeal(files.seal);
  if (!seal) return { isSealed: false };
  const log = readLog(files.log);
  const warning = compareLog(seal.note, log);
  const page = findChangedPage(seal, log, main);
  if (page !== undefined) {
    throw new DamageError(`page ${page} of table.sqlite is not as it was written`);
  }
  return { isSealed: true, warning };
}

/**
 * Returns the first page whose checksum differs. Skips pages in the log, because a checkpoint may
 * have written them to the main file at any time.
 */
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

/**
 * Throws if committed pages are missing from the log. Only warns if a power cut explains the loss.
 */
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

/** Whether SQLite may have started this log after the note was written. */
function mayFollow(note: Note, log: Log | undefined): boolean {
  if (note.closed || log === undefined) return false;
  return note.salts === null || isNext(note.salts, log.salts);
}
