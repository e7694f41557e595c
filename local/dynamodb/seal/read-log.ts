import { endianness } from 'node:os';
import { readIfPresent } from './seal-file.ts';

/** A frame of the log: the content of a page after a transaction. */
interface Frame {
  /** Counts from 1, as SQLite does. */
  readonly page: number;
  readonly content: Buffer;
}

/** SQLite's write-ahead log, as https://sqlite.org/fileformat2.html#walformat describes it. */
export interface Log {
  readonly salts: Salts;
  /** All frames since the log last restarted, including those that cannot be replayed. */
  readonly frames: readonly Frame[];
  /** How many frames SQLite replays: up to the last commit before the first damaged frame. */
  readonly replayable: number;
  /** How many pages the database has after the last commit that is replayed. */
  readonly pages: number;
}

/** Eight bytes in hexadecimal. SQLite increments the first four whenever the log restarts. */
export type Salts = string;

export const headerBytes = 32;
export const frameHeaderBytes = 24;
/** The lowest bit is set if checksums use big-endian words. */
const magic = 0x377f0682;

/** Reads a whole log. Returns undefined if the file is missing or has no valid header. */
export function readLog(file: string): Log | undefined {
  const bytes = readIfPresent(file);
  if (!bytes || bytes.length < headerBytes) return undefined;
  const kind = bytes.readUInt32BE(0);
  if ((kind & ~1) >>> 0 !== magic) return undefined;
  const words = wordsOf(bytes, (kind & 1) === 1);
  let sum = addWords(words, 0, 6, [0, 0]);
  if (!isSum(bytes, 24, sum)) return undefined;
  const pageSize = bytes.readUInt32BE(8);
  const salts = bytes.toString('hex', 16, 24);
  const frames: Frame[] = [];
  let replayable = 0;
  let pages = 0;
  let isWhole = true;
  const frameBytes = frameHeaderBytes + pageSize;
  for (let at = headerBytes; at + frameBytes <= bytes.length; at += frameBytes) {
    if (bytes.toString('hex', at + 8, at + 16) !== salts) break;
    const content = bytes.subarray(at + frameHeaderBytes, at + frameBytes);
    frames.push({ page: bytes.readUInt32BE(at), content });
    if (!isWhole) continue;
    sum = addWords(words, at / 4, 2, sum);
    sum = addWords(words, (at + frameHeaderBytes) / 4, pageSize / 4, sum);
    isWhole = isSum(bytes, at + 16, sum);
    const pagesAfter = bytes.readUInt32BE(at + 4);
    if (!isWhole || pagesAfter === 0) continue;
    replayable = frames.length;
    pages = pagesAfter;
  }
  return { salts, frames, replayable, pages };
}

type Sum = readonly [number, number];

function wordsOf(bytes: Buffer, isBigEndian: boolean): Uint32Array {
  const copy = Buffer.from(new Uint8Array(bytes.subarray(0, bytes.length & ~3)).buffer);
  if (isBigEndian !== (endianness() === 'BE')) copy.swap32();
  return new Uint32Array(copy.buffer, 0, copy.length / 4);
}

function addWords(words: Uint32Array, from: number, count: number, [one, two]: Sum): Sum {
  let [first, second] = [one, two];
  for (let at = from; at < from + count; at += 2) {
    first = (first + (words[at] ?? 0) + second) >>> 0;
    second = (second + (words[at + 1] ?? 0) + first) >>> 0;
  }
  return [first, second];
}

function isSum(bytes: Buffer, at: number, [first, second]: Sum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}

/** Whether SQLite started the log `later` directly after `earlier`. */
export function isNext(earlier: Salts, later: Salts): boolean {
  const count = (salts: Salts) => Number.parseInt(salts.slice(0, 8), 16);
  return count(later) === (count(earlier) + 1) >>> 0;
}
