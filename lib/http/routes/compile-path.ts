/** One segment of a path: a text that must be there as it is, or the name of a value. */
interface Part {
  readonly text: string;
  readonly name: string | undefined;
}

/** A path of the interface, `/quotas/[{hpc}/]`, taken apart. */
export interface CompiledPath {
  readonly parts: readonly Part[];
  /** How many segments it may have: a bracket is there with all that it holds, or not at all. */
  readonly lengths: ReadonlySet<number>;
  /** The names outside of brackets. */
  readonly requiredNames: readonly string[];
}

const compiled = new Map<string, CompiledPath>();

/** Paths are written in the code, so that there are few of them: each is taken apart once. */
export function compilePath(path: string): CompiledPath {
  const known = compiled.get(path);
  if (known) return known;
  const made = {
    parts: splitPath(path.replaceAll(/[[\]]/g, '')).map(readPart),
    lengths: new Set(listLengths(path)),
    requiredNames: [...requiredPart(path).matchAll(/(?<=\{)\w+(?=\})/g)].map(([name]) => name),
  };
  compiled.set(path, made);
  return made;
}

function readPart(text: string): Part {
  return { text, name: /^\{(\w+)\}$/.exec(text)?.[1] };
}

/** `[{hpc}/{project_name}/]` counts for two. */
function listLengths(path: string): number[] {
  const parts = path.replaceAll(']', '').split('[');
  return parts.map((_, index) => splitPath(parts.slice(0, index + 1).join('')).length);
}

/** What of a path cannot be left out. */
export function requiredPart(path: string): string {
  return path.replace(/\[.*/, '');
}

/** One trailing slash belongs to the canonical form and is no segment. */
export function splitPath(path: string): string[] {
  const start = path.startsWith('/') ? 1 : 0;
  const end = path.length > start && path.endsWith('/') ? path.length - 1 : path.length;
  const inner = path.slice(start, end);
  return inner === '' ? [] : inner.split('/');
}
