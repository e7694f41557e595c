import { describe, expect, it } from 'vitest';
import { addSeconds } from '#lib/time/add-seconds.ts';

describe('addSeconds', () => {
  it.each([
    [61, '2026-01-01T00:01:00.999Z'],
    [0.001, '2026-01-01T00:00:00.000Z'],
    [-1, '2025-12-31T23:59:58.999Z'],
  ])('returns the moment %d seconds later', (seconds, expected) => {
    const moment = new Date('2025-12-31T23:59:59.999Z');
    expect(addSeconds(moment, seconds)).toEqual(new Date(expected));
  });
});
