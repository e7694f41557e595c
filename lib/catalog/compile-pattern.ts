/** Compiles a regular expression of a catalog for whole texts. Returns undefined if it is none. */
export function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return undefined;
  }
}

/**
 * Returns true if a group is repeated, as in `(a+)+`. Some texts would keep such a pattern busy for
 * years, and users may choose the text.
 */
export function repeatsGroup(pattern: string): boolean {
  const plain = pattern.replace(/\\./gu, '_').replace(/\[[^\]]*\]/gu, '_');
  return /\)[*+{]/.test(plain);
}
