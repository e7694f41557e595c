import { describe, expect, it } from 'vitest';
import { isMistake } from '#lib/errors/domain-error.ts';

describe('a mistake', () => {
  it('is an error that only code can cause, and never data', () => {
    const decode = () => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from([255]));
    const badData = (() => {
      try {
        return decode();
      } catch (error) {
        return error;
      }
    })();
    expect(badData).toBeInstanceOf(TypeError);
    const judged = [new TypeError('x is not a function'), new ReferenceError('x'), badData];
    expect(judged.map(isMistake)).toEqual([true, true, false]);
    expect([new Error('end of central directory not found'), undefined].map(isMistake)).toEqual([
      false,
      false,
    ]);
  });
});
