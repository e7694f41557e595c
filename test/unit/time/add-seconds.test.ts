import { describe, expect, it } from 'vitest';
import { addSeconds } from '#lib/time/add-seconds.ts';

describe('addSeconds', () => {
  it('gives whole seconds', () => {
    const at = new Date('2026-01-01T00:00:00.999Z');
    expect(addSeconds(at, 61)).toEqual(new Date('2026-01-01T00:01:01Z'));
  });
});
