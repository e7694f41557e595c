/** Compiles a regular expression of a catalog for whole texts. Returns undefined if it is none. */
export function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return undefined;
  }
}
