import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { FilePage, ListedFile, PageWish } from '../../connector.ts';
import { describeFile, type FilesPlace, isPlain, rootOf, streamsOf } from './file-ids.ts';
import { attempt, measureFile, openPlainFolder } from './list-files.ts';

/** No folder more is read for a page after this long. A folder itself is read to its end. */
const usualMs = 1_000;

/** Comes after every name in a folder, because no name that is shown has this character. */
const behindAll = '\uffff';

/**
 * Lists a page of the files of a job, in the order of their paths: below a folder and all folders in
 * it, or, if a folder is named, only what is directly in it. However many files there are, only
 * those of the page are kept in memory. Blocks its thread.
 */
export function listPage(
  from: FilesPlace,
  { folder: inside, after = '', limit }: PageWish,
  clock: () => number = () => performance.now(),
  mostMs: number = usualMs,
): FilePage {
  const until = clock() + mostMs;
  const files: ListedFile[] = [];
  for (const { file, position } of find(from, inside, { after, most: limit })) {
    if (file) files.push({ ...file, position });
    // What was read of a folder is shown, because reading it is what takes time.
    const isLate = !file && clock() > until;
    if (files.length >= limit || isLate) return { files, next: position };
  }
  return { files, next: undefined };
}

/** Yields the output of the command first, unless it is asked for one of its folders. */
function* find(from: FilesPlace, inside: string | undefined, place: Place): Generator<Passed> {
  for (const name of inside ? [] : streamsOf(from).toSorted()) {
    const position = `\0${name}`;
    const bytes = position > place.after ? measureFile(join(from.folder, name)) : undefined;
    if (bytes !== undefined) yield { position, file: { id: name, name, bytes } };
  }
  const work = attempt(() => realpathSync(rootOf(from)));
  if (work === undefined || !isSafe(inside)) return;
  const found = inside === undefined ? walkFrom(work, '', place) : readInside(work, inside, place);
  for (const met of found) yield describeMet(from, met);
}

function describeMet(from: FilesPlace, { position, path, bytes = 0 }: Met): Passed {
  if (path === undefined) return { position };
  if (!path.endsWith('/')) return { position, file: describeFile(from, path, bytes) };
  return { position, file: { id: '', name: path, bytes: 0, isFolder: true } };
}

/** Whether the path of a folder leads nowhere else. It ends in '/', or is empty for the outermost. */
function isSafe(folder = ''): boolean {
  const parts = folder.split('/').slice(0, -1);
  const isFolder = folder === '' || folder.endsWith('/');
  return isFolder && isPlain(folder) && !parts.some((part) => ['', '.', '..'].includes(part));
}

interface Place {
  /** The page continues behind this path. */
  readonly after: string;
  readonly most: number;
}

/** As an answer has it. */
interface Passed {
  readonly position: string;
  readonly file?: Omit<ListedFile, 'position'> | undefined;
}

/** A file or folder that is shown, by its path, or only the end of a folder that was read. */
interface Met {
  readonly position: string;
  /** That of a folder ends in '/'. */
  readonly path?: string;
  readonly bytes?: number;
}

/** Yields what is directly in a folder, whose path ends in '/'. */
function* readInside(work: string, folder: string, { after, most }: Place): Generator<Met> {
  let behind = after.startsWith(folder) ? after.slice(folder.length) : '';
  for (;;) {
    const entries = readEntries(work, folder, (key) => key > behind, most);
    for (const { key, bytes } of entries) {
      behind = key;
      const position = folder + key;
      yield { position, path: position, bytes };
    }
    if (entries.length < most) return;
  }
}

/** Yields the files below a folder in the order of their paths, of which '/' is a part. */
function* walkFrom(work: string, folder: string, { after, most }: Place): Generator<Met> {
  const rest = after.startsWith(folder) ? after.slice(folder.length) : '';
  // The folder in which the last page ended may have more.
  const end = rest.indexOf('/') + 1;
  const isDone = end === 0 || rest.startsWith(behindAll, end);
  const entered = isDone ? undefined : rest.slice(0, end);
  let [behind, again] = [rest, entered];
  for (;;) {
    const isWanted = (key: string) => key > behind || key === again;
    const entries = readEntries(work, folder, isWanted, most);
    for (const { key, bytes } of entries) {
      const path = folder + key;
      if (key.endsWith('/')) {
        yield* walkFrom(work, path, { after, most });
        yield { position: path + behindAll };
      } else {
        yield { position: path, path, bytes };
      }
      [behind, again] = [key.endsWith('/') ? key + behindAll : key, undefined];
    }
    if (entries.length < most) return;
  }
}

interface Entry {
  /** The name; that of a folder ends in '/', so that keys have the order of whole paths. */
  readonly key: string;
  readonly bytes: number;
}

/** Reads a folder to its end, and keeps the first entries that are wanted. */
function readEntries(
  work: string,
  folder: string,
  isWanted: (key: string) => boolean,
  most: number,
): Entry[] {
  const opened = openPlainFolder(join(work, folder).replace(/\/$/, ''));
  if (!opened) return [];
  try {
    const keys = selectFirst(most);
    for (const entry of opened.entries()) {
      const isFolder = entry.isDirectory();
      if (!(isFolder || entry.isFile())) continue;
      const key = isFolder ? `${entry.name}/` : entry.name;
      if (isWanted(key) && isPlain(entry.name)) keys.add(key);
    }
    return keys.list().map((key) => {
      const isFile = !key.endsWith('/');
      return { key, bytes: (isFile && measureFile(join(opened.here, key))) || 0 };
    });
  } finally {
    opened.close();
  }
}

/** Keeps the first texts of many, in their order. Needs no more memory than for twice as many. */
function selectFirst(most: number) {
  let kept: string[] = [];
  let last: string | undefined;
  function shrink(): void {
    kept.sort();
    if (kept.length < most) return;
    kept = kept.slice(0, most);
    last = kept.at(-1);
  }
  return {
    add(text: string): void {
      if (last !== undefined && text >= last) return;
      kept.push(text);
      if (kept.length >= 2 * most) shrink();
    },
    list(): readonly string[] {
      shrink();
      return kept;
    },
  };
}
