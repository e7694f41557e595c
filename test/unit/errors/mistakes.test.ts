import { describe, expect, it } from 'vitest';
import { isMistake } from '#lib/errors/domain-error.ts';

describe('a mistake', () => {
  it('is an error that only code can cause, and never data', async () => {
    const decode = async () => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from([255]));
    const badData = await decode().catch((error: unknown) => error);
    expect(badData).toBeInstanceOf(TypeError);
    expect([new TypeError('x is not a function'), new ReferenceError('x')].every(isMistake)).toBe(
      true,
    );
    const others = [badData, new Error('end of central directory not found'), undefined];
    expect(others.some(isMistake)).toBe(false);
  });
});
