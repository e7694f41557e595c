/**
 * What AWS does with the trailing slash is known from reports only, so both possible behaviours
 * are built and tested: 'exact' takes `/jobs/` for another path than `/jobs`, and `{proxy+}` for
 * at least one character; 'ignored' drops the slash before matching.
 */
export type Slashes = 'exact' | 'ignored';

/** The key that an HTTP API would choose: the full match, else the longest greedy one, else $default. */
export function matchKey(
  keys: readonly string[],
  method: string,
  rawPath: string,
  slashes: Slashes,
): string {
  const path = slashes === 'ignored' && rawPath !== '/' ? rawPath.replace(/\/$/, '') : rawPath;
  const wanted = `${method} ${path}`;
  if (keys.includes(wanted)) return wanted;
  const greedy = keys
    .filter((key) => key.endsWith('/{proxy+}'))
    .filter((key) => {
      const prefix = key.slice(0, -'{proxy+}'.length);
      return wanted.startsWith(prefix) && wanted.length > prefix.length;
    });
  return greedy.sort((a, b) => b.length - a.length)[0] ?? '$default';
}
