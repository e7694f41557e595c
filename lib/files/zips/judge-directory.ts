import type { ZipEntry } from './zip-entry.ts';
import { zipLimits } from './zip-limits.ts';

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
