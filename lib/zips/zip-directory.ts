import type { Entry } from 'yauzl';

/** Limits of a zip that is sent to an HPC system. */
export const zipLimits = {
  entries: 10_000,
  expandedBytes: 100_000_000_000,
  /** The largest ratio of expanded to packed size above the floor. Small text packs well. */
  expansion: 200,
  expansionFloorBytes: 10_000_000,
  /** Names and comments alone could fill gigabytes. */
  directoryBytes: 8_000_000,
  /** Linux takes no longer path. */
  nameBytes: 4096,
  /** Programs write five or six. */
  extraFields: 20,
  /** Nobody fixes more than this from one response. */
  reportedProblems: 10,
} as const;

export const methods = { stored: 0, deflated: 8 };
const kinds = { unsaid: 0, file: 0o100000, directory: 0o040000 };

/** Lists everything wrong with a zip's directory, in words that its sender can act on. */
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

/** Lists why an archive expands to more than it may, whatever the names of its entries. */
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

/** Returns why an entry would not be unpacked safely below the job's folder. */
function judgePath(path: string): string | undefined {
  if (path === '') return 'it has no name';
  if (/\p{Cc}/u.test(path)) return 'its name contains a control character';
  if (path.includes('\\')) return 'its name contains a backslash; write paths with /';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'its path is absolute';
  if (/(?:^|\/)\.\.(?:\/|$)/.test(path)) return 'its path leads outside the archive';
  return undefined;
}

/** With two entries of the same name, chance decides which one a job sees. */
function findRepeated(entries: readonly ZipEntry[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name, readings }) => {
    const places = new Set(readings.map(normalize));
    const repeated = [...places].some((place) => seen.has(place));
    for (const place of places) seen.add(place);
    return repeated ? [`'${name}': the archive contains this name twice.`] : [];
  });
}

/** Leaves out what does not change the meaning of a path: `./`, doubled slashes, and one at the end. */
export function normalize(path: string): string {
  return path.replaceAll(/(?<=^|\/)(?:\.?\/)+/g, '').replace(/(?:^|\/)\.?$/, '');
}

/** Entries that share bytes are how a zip bomb turns megabytes into petabytes. */
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

/** One line of a zip's directory, as far as its safety depends on it. */
export interface ZipEntry {
  /** Cleaned for messages. */
  readonly name: string;
  /** All names that some program may read for this entry. */
  readonly readings: readonly string[];
  readonly brokenName: boolean;
  readonly encrypted: boolean;
  readonly method: number;
  /** The file type bits of the mode; 0 if the archive does not say. */
  readonly kind: number;
  readonly offset: number;
  /** The entry takes at least this much of the archive. */
  readonly length: number;
  readonly expandedBytes: number;
}

const flags = { encrypted: 0x1, utf8: 0x800 };
const localHeaderBytes = 30;

/** Info-ZIP's extra field with a second name, which may differ from the first. */
export const unicodePathField = 0x7075;

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

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Text that is not UTF-8 is in some code page. The characters that matter in a path are the same in
 * all of them.
 */
function decodeName(raw: Buffer): { text: string; utf8: boolean } {
  try {
    return { text: strictUtf8.decode(raw), utf8: true };
  } catch {
    return { text: raw.toString('latin1'), utf8: false };
  }
}

/** Keeps a name in a message from controlling the terminal or filling the screen. */
function show(name: string): string {
  const harmless = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return harmless.length > 100 ? `${harmless.slice(0, 100)}…` : harmless;
}

const signatures = { end: 0x06054b50, end64: 0x06064b50 };
const endBytes = 22;
const end64Bytes = 56;
const locatorBytes = 20;

/** The position of a directory, and a way to read what follows it. */
export interface DirectoryPlace {
  readonly first: number;
  /** The position after the last byte. */
  readonly end: number;
  /** Where the archive's last record starts. */
  readonly endRecord: number;
  read(position: number, length: number): Promise<Buffer>;
}

/**
 * Returns true if the directory is exactly what lies between its announced start and the archive's
 * end. Some programs count its lines, others measure it from its start or from its end. If these
 * differ, an archive shows each of them a different list of files.
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
