import { describe, expect, it } from 'vitest';
import { causeCode } from '#lib/outbound/cause-code.ts';

const coded = (code: unknown, options?: ErrorOptions) =>
  Object.assign(new Error('secret', options), { code });

describe('causeCode', () => {
  it.each([
    { what: 'its own', error: coded('ECONNREFUSED'), code: 'ECONNREFUSED' },
    {
      what: 'that of its cause',
      error: new TypeError('fetch failed', { cause: coded('ENOTFOUND') }),
      code: 'ENOTFOUND',
    },
    {
      what: 'that of a cause that is no error',
      error: new Error('no', { cause: { code: 'ECONNRESET' } }),
      code: 'ECONNRESET',
    },
    {
      what: 'its own before that of its cause',
      error: coded('EPROTO', { cause: coded('ECONNRESET') }),
      code: 'EPROTO',
    },
    {
      what: 'a text, not the number of a DOMException',
      error: new DOMException('x', 'AbortError'),
    },
    { what: 'the text below a number', error: coded(7, { cause: coded('EPIPE') }), code: 'EPIPE' },
    { what: 'none where it has none', error: new Error('ECONNREFUSED') },
    { what: 'none where its cause is null', error: new Error('no', { cause: null }) },
    { what: 'none of what is no error', error: 'ECONNREFUSED' },
    { what: 'none of an object that is no error', error: { code: 'ECONNREFUSED' } },
  ])('is $what', ({ error, code }) => {
    expect(causeCode(error)).toBe(code);
  });
});
