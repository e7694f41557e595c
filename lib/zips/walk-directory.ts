import { UnsafeZipError } from './errors.ts';
import type { RangeStore } from './range-reader.ts';

/** An entry of a zip, as a list of files needs it. */
export interface DirectoryLine {
  readonly name: string;
  /** Expanded. */
  readonly bytes: number;
  /** Where its line is in the zip. */
  readonly at: number;
}

/** Where the directory of a zip begins, and how many lines it has. */
export interface DirectoryStart {
  readonly at: number;
  readonly lines: number;
}

/** A directory with more is not read. A million files have about a hundred megabytes. */
export const walkLimits = { lines: 2_000_000, bytes: 400_000_000 } as const;

/** How much is fetched, and so held in memory, at a time. */
const blockBytes = 4_000_000;
/** Longer than any line, whose three texts have 65,535 bytes at most. */
const longestLine = 200_000;

const signature = 0x02014b50;
const headBytes = 46;
const wide32 = 0xffff_ffff;

/** Reads the directory of a stored zip from its start to its end, a block at a time. */
export async function* walkDirectory(
  store: RangeStore,
  { key, bytes }: { readonly key: string; readonly bytes: number },
  { at: start, lines }: DirectoryStart,
): AsyncGenerator<readonly DirectoryLine[]> {
  let [at, left] = [start, lines];
  while (left > 0) {
    if (at - start > walkLimits.bytes) throw tooLong();
    const last = Math.min(at + blockBytes + longestLine, bytes) - 1;
    const block = Buffer.from(await store.read(key, { first: at, last }));
    const found: DirectoryLine[] = [];
    let place = 0;
    while (left > 0 && (place < blockBytes || found.length === 0)) {
      const { line, length } = readLine(block, place, at + place);
      found.push(line);
      place += length;
      left -= 1;
    }
    at += place;
    yield found;
  }
}

function tooLong(): UnsafeZipError {
  return new UnsafeZipError([
    `Its directory is larger than the ${walkLimits.bytes} bytes allowed.`,
  ]);
}

function readLine(block: Buffer, place: number, at: number) {
  const isWhole = place + headBytes <= block.length;
  if (!isWhole || block.readUInt32LE(place) !== signature) throw damaged();
  const nameBytes = block.readUInt16LE(place + 28);
  const extraBytes = block.readUInt16LE(place + 30);
  const length = headBytes + nameBytes + extraBytes + block.readUInt16LE(place + 32);
  if (place + length > block.length) throw damaged();
  const nameAt = place + headBytes;
  const extra = block.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes);
  const expanded = block.readUInt32LE(place + 24);
  return {
    length,
    line: {
      at,
      name: decodeName(block.subarray(nameAt, nameAt + nameBytes)),
      bytes: expanded === wide32 ? readWide(extra) : expanded,
    },
  };
}

/** The expanded size is the first of the wide numbers. */
function readWide(extra: Buffer): number {
  for (let at = 0; at + 12 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) return Number(extra.readBigUInt64LE(at + 4));
  }
  return wide32;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeName(raw: Buffer): string {
  try {
    return utf8.decode(raw);
  } catch {
    return raw.toString('latin1');
  }
}

function damaged(): UnsafeZipError {
  return new UnsafeZipError(['It is damaged or cut off.']);
}
