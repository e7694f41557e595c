import type { Entry } from 'yauzl';

/** One line of a zip's directory, as far as its safety goes. */
export interface ZipEntry {
  /** For people to read. */
  readonly name: string;
  /** The same by every reading that some program has of it. */
  readonly readings: readonly string[];
  readonly brokenName: boolean;
  readonly encrypted: boolean;
  readonly method: number;
  /** The bits of a file's mode that say what kind it is; 0 where the archive does not say. */
  readonly kind: number;
  readonly offset: number;
  /** At least so much of the archive belongs to it. */
  readonly length: number;
  readonly expandedBytes: number;
}

const flags = { encrypted: 0x1, utf8: 0x800 };
const localHeaderBytes = 30;

/** The field of Info-ZIP in which a second name hides behind the first one. */
const unicodePathField = 0x7075;

export function describeEntry(entry: Entry): ZipEntry {
  const flagged = (entry.generalPurposeBitFlag & flags.utf8) !== 0;
  const plain = decodeName(entry.fileNameRaw);
  const hidden = entry.extraFields
    .filter(({ id, data }) => id === unicodePathField && data.length > 5)
    .map(({ data }) => decodeName(data.subarray(5)));
  const readings = [plain, ...hidden];
  return {
    name: show(plain.text),
    readings: readings.map(({ text }) => text),
    brokenName: (flagged && !plain.utf8) || hidden.some(({ utf8 }) => !utf8),
    encrypted: (entry.generalPurposeBitFlag & flags.encrypted) !== 0,
    method: entry.compressionMethod,
    kind: (entry.externalFileAttributes >>> 16) & 0o170000,
    offset: entry.relativeOffsetOfLocalHeader,
    length: localHeaderBytes + entry.fileNameLength + entry.compressedSize,
    expandedBytes: entry.uncompressedSize,
  };
}

/** What is no UTF-8 is some code page, and what matters in a path is the same in all of them. */
function decodeName(raw: Buffer): { text: string; utf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(raw), utf8: true };
  } catch {
    return { text: raw.toString('latin1'), utf8: false };
  }
}

/** A name in a message must not steer a terminal, or fill a screen. */
function show(name: string): string {
  const harmless = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return harmless.length > 100 ? `${harmless.slice(0, 100)}…` : harmless;
}
