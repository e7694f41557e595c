/** A path without brackets, made from one with optional parts, and the names in it. */
export type PlainPath = ReturnType<typeof expandPath>[number];

/** Expands `/quotas/[{hpc}/]` to `/quotas/` and `/quotas/{hpc}/`. */
export function expandPath(path: string) {
  const parts = path.replaceAll(']', '').split('[');
  return parts.map((_, index) => {
    const plain = parts.slice(0, index + 1).join('');
    return { path: plain, names: namesIn(plain) };
  });
}

/** Lists the names in a path, in order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
