export type CleanedPath = { readonly path: string } | { readonly reason: string };

/** Control characters and marks that turn the direction of writing: what nobody can type or see. */
const unfit = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** What Windows takes for something else than a file, or not at all. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
const unfitOnWindows = /[<>:"|?*]|[. ]$/g;

/**
 * The name of a job's file as a path below a folder. What is unfit in it becomes `_`; a name that
 * leads out of the folder, or is none, has no path, because any other would be a guess.
 */
export function cleanPath(name: string, platform: NodeJS.Platform = process.platform): CleanedPath {
  const parts = name.split(/[/\\]/);
  if (parts.includes('..') || /^([/\\]|[a-z]:)/i.test(name)) {
    return { reason: 'Its name leads out of the folder.' };
  }
  const last = parts.at(-1);
  if (last === '' || last === '.') return { reason: 'It has no name.' };
  const kept = parts.filter((part) => part !== '' && part !== '.');
  return { path: kept.map((part) => cleanPart(part, platform)).join('/') };
}

function cleanPart(part: string, platform: NodeJS.Platform): string {
  const clean = part.replaceAll(unfit, '_');
  if (platform !== 'win32') return clean;
  const taken = clean.replaceAll(unfitOnWindows, '_');
  return reserved.test(taken) ? `_${taken}` : taken;
}
