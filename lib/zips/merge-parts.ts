import type { ZipPart } from './compose-zip.ts';

/**
 * Puts two sets of files into one, `others` below a folder if one is named. A file of `own` wins
 * over one of `others` at the same place, and over a folder of the same name.
 */
export function mergeParts(
  own: readonly ZipPart[],
  others: readonly ZipPart[],
  folder?: string,
): ZipPart[] {
  const moved = others.map((part) => (folder === undefined ? part : moveInto(part, folder)));
  const ownFiles = new Set(own.filter(({ name }) => !name.endsWith('/')).map(placeOf));
  const ownFolders = new Set(own.flatMap((part) => foldersOf(part)));
  const seen = new Set(own.map(placeOf));
  const kept = moved.filter((part) => {
    const place = placeOf(part);
    const isFile = !part.name.endsWith('/');
    const isTaken = seen.has(place) || (isFile && ownFolders.has(place));
    const isBelowFile = foldersOf(part).some((path) => path !== place && ownFiles.has(path));
    seen.add(place);
    return !isTaken && !isBelowFile;
  });
  return [...own, ...kept];
}

function moveInto(part: ZipPart, folder: string): ZipPart {
  return { ...part, name: `${folder}/${part.name}`, open: () => part.open() };
}

/** Returns a path without what does not change its meaning. */
function placeOf({ name }: ZipPart): string {
  return partsOf(name).join('/');
}

/** Lists the folders that an entry is in, and itself if it is one. */
function foldersOf({ name }: ZipPart): string[] {
  const parts = partsOf(name);
  const depth = name.endsWith('/') ? parts.length : parts.length - 1;
  return Array.from({ length: depth }, (_, index) => parts.slice(0, index + 1).join('/'));
}

function partsOf(name: string): string[] {
  return name.split('/').filter((part) => part !== '' && part !== '.');
}
