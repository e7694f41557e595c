import type { FieldProblem } from '../errors.ts';

/** Optional: absent and wrong both give nothing, but only the wrong one is reported. */
export function parseIdempotencyKey(
  header: string | undefined,
  problems: FieldProblem[],
): string | undefined {
  if (header === undefined) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(header)) return header;
  problems.push({
    location: 'header',
    name: 'Idempotency-Key',
    message: 'It must have 1 to 255 visible ASCII characters without spaces.',
  });
  return undefined;
}
