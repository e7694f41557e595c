import type { FilePage, ListedFile, PageWish } from '#lib/hpc/connector.ts';
import type { RangeStore } from '#lib/zips/range-reader.ts';
import {
  type DirectoryLine,
  type DirectoryStart,
  walkDirectory,
} from '#lib/zips/walk-directory.ts';
import { placeIn, sortByName } from './job-file.ts';

/**
 * Lists a page of a zip with too many entries to hold. Its directory is read to its end, and only
 * what is on the page is kept. If several entries have the same name, the last one counts.
 */
export async function pageOfZip(
  store: RangeStore,
  zip: { readonly key: string; readonly bytes: number },
  start: DirectoryStart,
  { folder, after = '', limit }: PageWish,
): Promise<FilePage> {
  const first = selectFirst(limit + 1);
  for await (const lines of walkDirectory(store, zip, start)) {
    for (const line of lines) {
      const file = placeLine(line, folder);
      if (file && file.position > after) first.add(file);
    }
  }
  const files = first.list();
  const page = files.slice(0, limit);
  return { files: page, next: files.length > limit ? page.at(-1)?.position : undefined };
}

function placeLine(line: DirectoryLine, folder: string | undefined): ListedFile | undefined {
  if (line.name.endsWith('/')) return undefined;
  const file = describeLine(line);
  return folder === undefined ? { ...file, position: file.name } : placeIn(folder, file);
}

/** Keeps the first files of many by their positions. Needs no more memory than for twice as many. */
function selectFirst(most: number) {
  let kept = new Map<string, ListedFile>();
  let last: string | undefined;
  function list(): ListedFile[] {
    const files = sortByName([...kept.values()]).slice(0, most);
    kept = new Map(files.map((file) => [file.position, file]));
    last = files.length < most ? undefined : files.at(-1)?.position;
    return files;
  }
  return {
    add(file: ListedFile): void {
      if (last !== undefined && file.position > last) return;
      kept.set(file.position, file);
      if (kept.size > 2 * most) list();
    },
    list,
  };
}

/** The id says where the line is, so that a file is found without a walk. */
function describeLine({ name, bytes, at }: DirectoryLine) {
  return { id: `at-${at}`, name, bytes };
}

/** Returns where the line of a file is, if its id says so. */
export function placeOfLine(fileId: string): number | undefined {
  const [, at] = /^at-(\d{1,15})$/.exec(fileId) ?? [];
  return at === undefined ? undefined : Number(at);
}
