const compiled = new Map<string, RegExp>();

/** `*` stands for any characters, slashes and colons too, and `?` for one. */
export function matchesPattern(pattern: string, text: string): boolean {
  const known = compiled.get(pattern) ?? compile(pattern);
  compiled.set(pattern, known);
  return known.test(text);
}

function compile(pattern: string): RegExp {
  const source = RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  return new RegExp(`^${source}$`, 's');
}
