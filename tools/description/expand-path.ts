/** A path of the interface without its brackets: once without and once with each of them. */
export interface PlainPath {
  readonly path: string;
  /** The names in it, in their order. */
  readonly names: readonly string[];
}

/** `/quotas/[{hpc}/]` is `/quotas/` and `/quotas/{hpc}/`. */
export function expandPath(path: string): PlainPath[] {
  const parts = path.replaceAll(']', '').split('[');
  return parts.map((_, index) => {
    const plain = parts.slice(0, index + 1).join('');
    return { path: plain, names: namesIn(plain) };
  });
}

/** The names in a path, in their order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
