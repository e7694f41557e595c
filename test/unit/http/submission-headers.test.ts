import { describe, expect, it } from 'vitest';
import type { FieldProblem } from '#lib/http/errors.ts';
import { parseIdempotencyKey } from '#lib/http/parsers/parse-idempotency-key.ts';

function parse(header: string | undefined) {
  const problems: FieldProblem[] = [];
  return { key: parseIdempotencyKey(header, problems), problems };
}

describe('parseIdempotencyKey', () => {
  it('is optional', () => {
    expect(parse(undefined)).toEqual({ key: undefined, problems: [] });
  });

  it.each(['1', 'a1b2-c3', '"quoted"', 'A#B', '!~', 'x'.repeat(255)])('takes %j', (header) => {
    expect(parse(header)).toEqual({ key: header, problems: [] });
  });

  it.each(['', ' ', 'two words', 'tab\t', 'new\nline', 'é', '\u0000', '\u007f', 'x'.repeat(256)])(
    'refuses %j',
    (header) => {
      expect(parse(header)).toEqual({
        key: undefined,
        problems: [
          {
            location: 'header',
            name: 'Idempotency-Key',
            message: 'It must have 1 to 255 visible ASCII characters without spaces.',
          },
        ],
      });
    },
  );
});
