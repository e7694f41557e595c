import { describe, expect, it } from 'vitest';
import { pauseAfter } from '#lib/jobs/run/hand-over/hand-over-job.ts';

describe('the pause after a hand-over in vain', () => {
  it.each([
    { claims: 1, shortest: 1, longest: 2 },
    { claims: 2, shortest: 2, longest: 4 },
    { claims: 5, shortest: 16, longest: 32 },
    { claims: 8, shortest: 128, longest: 256 },
    { claims: 9, shortest: 150, longest: 300 },
    { claims: 1000, shortest: 150, longest: 300 },
  ])('number $claims lies between $shortest and $longest seconds', (each) => {
    expect(pauseAfter(each.claims, () => 0)).toBe(each.shortest);
    expect(pauseAfter(each.claims, () => 0.5)).toBe((each.shortest + each.longest) / 2);
    expect(pauseAfter(each.claims, () => 1)).toBe(each.longest);
  });
});
