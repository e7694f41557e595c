import { describe, expect, it } from 'vitest';
import { pauseAfter } from '#lib/jobs/run/hand-over/hand-over-job.ts';

describe('the pause after a hand-over in vain', () => {
  it.each([
    { takeUps: 1, shortest: 1, longest: 2 },
    { takeUps: 2, shortest: 2, longest: 4 },
    { takeUps: 5, shortest: 16, longest: 32 },
    { takeUps: 8, shortest: 128, longest: 256 },
    { takeUps: 9, shortest: 150, longest: 300 },
    { takeUps: 1000, shortest: 150, longest: 300 },
  ])('number $takeUps lies between $shortest and $longest seconds', (each) => {
    expect(pauseAfter(each.takeUps, () => 0)).toBe(each.shortest);
    expect(pauseAfter(each.takeUps, () => 0.5)).toBe((each.shortest + each.longest) / 2);
    expect(pauseAfter(each.takeUps, () => 1)).toBe(each.longest);
  });
});
