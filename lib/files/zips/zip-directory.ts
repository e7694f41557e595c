import type { Entry } from 'yauzl';

/** What a zip may be before it is sent to a supercomputer. */
export const zipLimits = {
  entries: 10_000,
  expandedBytes: 10_000_000_000,
  /** So many times its own size, once it is above the floor: small text packs well. */
  expansion: 200,
  expansionFloorBytes: 10_000_000,
  /** Names and comments could fill gigabytes by themselves. */
  directoryBytes: 8_000_000,
  /** Nobody mends more than that from one answer. */
  reportedProblems: 10,
} as const;

const methods = { stored: 0, deflated: 8 };
const kinds = { unsaid: 0, file: 0o100000, directory: 0o040000 };

/** All that is wrong with what a zip says of itself, in words that its sender can act on. */
export function judgeDirectory(entries: readonly ZipEntry[], archive: ArchiveExtent): string[] {
  return [
    ...entries.flatMap(judgeEntry),
    ...findRepeated(entries),
    ...judgeExtent(entries, archive),
  ];
}

interface ArchiveExtent {
  readonly bytes: number;
  readonly directoryOffset: number;
}

/** Lists why the archive expands to more than it should, whatever its entries are called. */
export function judgeExtent(entries: readonly ZipEntry[], archive: ArchiveExtent): string[] {
  return [
    ...findOverlaps(entries, archive.directoryOffset),
    ...judgeExpansion(entries, archive.bytes),
  ];
}

function judgeEntry(entry: ZipEntry): string[] {
  const { name, readings, brokenName, encrypted, method, kind } = entry;
  const wrong = [
    readings.map(judgePath).find((problem) => problem !== undefined),
    brokenName && 'its name is not valid UTF-8',
    encrypted && 'it is encrypted',
    method !== methods.stored && method !== methods.deflated && 'it is neither stored nor deflated',
    !Object.values(kinds).includes(kind) && 'it is a link or a special file',
  ].filter((problem) => typeof problem === 'string');
  return wrong.map((problem) => `'${name}': ${problem}.`);
}

/** Where it would be unpacked, and what of that is not below the job's own folder. */
function judgePath(path: string): string | undefined {
  if (path === '') return 'it has no name';
  if (/\p{Cc}/u.test(path)) return 'its name contains a control character';
  if (path.includes('\\')) return 'its name contains a backslash; write paths with /';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'its path is absolute';
  if (path.split('/').includes('..')) return 'its path leads outside the archive';
  return undefined;
}

/** Of two entries with one name it is chance which one a job meets. */
function findRepeated(entries: readonly ZipEntry[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name, readings }) => {
    const places = new Set(readings.map(normalize));
    const repeated = [...places].some((place) => seen.has(place));
    for (const place of places) seen.add(place);
    return repeated ? [`'${name}': the archive contains this name twice.`] : [];
  });
}

function normalize(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** Entries that share bytes: the way to petabytes out of a few megabytes. */
function findOverlaps(entries: readonly ZipEntry[], directoryOffset: number): string[] {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset);
  return sorted.flatMap(({ name, offset, length }, index) => {
    const next = sorted[index + 1]?.offset ?? directoryOffset;
    return offset + length > next ? [`'${name}': it overlaps what follows it.`] : [];
  });
}

function judgeExpansion(entries: readonly ZipEntry[], archiveBytes: number): string[] {
  const expanded = entries.reduce((sum, { expandedBytes }) => sum + expandedBytes, 0);
  if (expanded > zipLimits.expandedBytes) {
    return [`It expands to ${expanded} bytes, but at most ${zipLimits.expandedBytes} are allowed.`];
  }
  const dense = expanded > archiveBytes * zipLimits.expansion;
  return dense && expanded > zipLimits.expansionFloorBytes
    ? [
        `It expands to ${expanded} bytes, more than ${zipLimits.expansion} times its own size. ` +
          'Leave out what the job can create itself.',
      ]
    : [];
}

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

const signatures = { end: 0x06054b50, end64: 0x06064b50 };
const endBytes = 22;
const end64Bytes = 56;
const locatorBytes = 20;

/** Where a directory was found, and what stands behind it. */
export interface DirectoryPlace {
  readonly first: number;
  /** The byte behind it. */
  readonly end: number;
  /** Where the last record of the archive begins. */
  readonly endRecord: number;
  read(position: number, length: number): Promise<Buffer>;
}

/**
 * Whether a directory is exactly what lies between its announced beginning and the archive's end.
 * Some programs count its lines, some measure it from its beginning and some from its end: an
 * archive in which these differ shows each of them another list of files.
 */
export async function isPlainDirectory(place: DirectoryPlace): Promise<boolean> {
  const { first, end, endRecord, read } = place;
  const record = await read(endRecord, endBytes);
  const size = record.readUInt32LE(12);
  const plain = record.readUInt32LE(0) === signatures.end;
  if (end === endRecord) return plain && size === end - first;
  if (end + end64Bytes + locatorBytes > endRecord) return false;
  const record64 = await read(end, end64Bytes);
  return (
    plain &&
    (size === 0xffffffff || size === end - first) &&
    record64.readUInt32LE(0) === signatures.end64 &&
    record64.readBigUInt64LE(40) === BigInt(end - first) &&
    record64.readBigUInt64LE(4) === BigInt(endRecord - locatorBytes - end - 12)
  );
}

export function placeOfEndRecord(archiveBytes: number, commentBytes: number): number {
  return archiveBytes - endBytes - commentBytes;
}
