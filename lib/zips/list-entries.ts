import { setImmediate } from 'node:timers/promises';
import type { Entry, ZipFile } from 'yauzl';
import { UnsafeZipError } from './errors.ts';
import { describeEntry, zipLimits } from './zip-directory.ts';

/** After so many entries, others are answered. */
const entriesAtOnce = 500;

/**
 * Reads the directory of a zip, and stops at the first entry that describes itself at a length that
 * nobody means.
 */
export async function listEntries(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > zipLimits.entries) {
    throw new UnsafeZipError([
      `It has ${zip.entryCount} entries, but at most ${zipLimits.entries} are allowed.`,
    ]);
  }
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    const problem = judgeLength(entry);
    if (problem !== undefined) {
      throw new UnsafeZipError([`'${describeEntry(entry).name}': ${problem}.`]);
    }
    entries.push(entry);
    if (entries.length % entriesAtOnce === 0) await setImmediate();
  }
  return entries;
}

function judgeLength({ fileNameLength, extraFields }: Entry): string | undefined {
  const { nameBytes, extraFields: most } = zipLimits;
  if (fileNameLength > nameBytes) return `its name is longer than ${nameBytes} bytes`;
  return extraFields.length > most ? `it has more than ${most} extra fields` : undefined;
}
