import type { ZipPart } from './compose-zip.ts';
import { normalize } from './zip-directory.ts';

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
  const places = own.map(placeOf).sort();
  const files = dropInner(own.filter(isFile).map(placeOf).sort());
  const seen = new Set(places);
  const kept = moved.filter((part) => {
    const place = placeOf(part);
    const isTaken = seen.has(place) || (isFile(part) && hasInner(places, place));
    seen.add(place);
    return !isTaken && !isInner(files, place);
  });
  return [...own, ...kept];
}

/** Puts a part below a folder. */
export function moveInto(part: ZipPart, folder: string): ZipPart {
  return { ...part, name: `${folder}/${part.name}`, open: () => part.open() };
}

function isFile({ name }: ZipPart): boolean {
  return !name.endsWith('/');
}

/**
 * Returns a path with a slash at its end. Sorted so, everything inside a folder follows the folder,
 * and one look tells what would otherwise take one for each of the folders that a path names.
 */
function placeOf({ name }: ZipPart): string {
  return `${normalize(name)}/`;
}

/** Leaves out the places that are inside another one. */
function dropInner(sorted: readonly string[]): string[] {
  const outer: string[] = [];
  for (const place of sorted) {
    const last = outer.at(-1);
    if (last === undefined || !place.startsWith(last)) outer.push(place);
  }
  return outer;
}

function hasInner(sorted: readonly string[], place: string): boolean {
  return sorted[findPlace(sorted, place)]?.startsWith(place) ?? false;
}

function isInner(outer: readonly string[], place: string): boolean {
  const before = outer[findPlace(outer, place) - 1];
  return before !== undefined && place.startsWith(before);
}

/** Returns the index of the first place that does not come before this one. */
function findPlace(sorted: readonly string[], place: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
