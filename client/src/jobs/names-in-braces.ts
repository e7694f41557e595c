interface Commanded {
  readonly program: string;
  readonly title?: string | undefined;
}

/**
 * Lists what is in braces like a column: in the first jobs of a batch whatever no column has filled,
 * a mistyped `{sed}` for `{seed}`. `${sed}` is the shell's own.
 */
export function findNamesInBraces(jobs: readonly Commanded[]): readonly string[] {
  const found = jobs.flatMap(
    ({ program, title = '' }) => `${program} ${title}`.match(/(?<!\$)\{[a-z_]\w*\}/gi) ?? [],
  );
  return [...new Set(found)];
}
