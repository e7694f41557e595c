import type { BatchEstimate } from '../generated/operations.ts';

/**
 * Lists names in braces that are left in the first jobs of a batch, so that no column has them: a
 * mistyped `{sed}` for `{seed}`. `${sed}` is the shell's own.
 */
export function findUnmatchedNames({ preview }: Pick<BatchEstimate, 'preview'>): readonly string[] {
  const texts = preview.flatMap(({ program, title }) => [program, title]);
  const found = texts.flatMap((text) =>
    [...text.matchAll(/(?<!\$)\{([a-z_]\w*)\}/gi)].map(([, name = '']) => name),
  );
  return [...new Set(found)];
}
