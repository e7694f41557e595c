import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginRun } from '#lib/time/time-left.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Starts a run whose process is killed after so many milliseconds. */
function beginWith(ms: number) {
  const began = performance.now();
  return beginRun(() => ms - (performance.now() - began));
}

describe('a run', () => {
  it('starts work in four fifths of its time', () => {
    const { isOver, leftMs } = beginWith(10_000);
    vi.advanceTimersByTime(7_999);
    expect(isOver()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isOver()).toBe(true);
    expect(leftMs()).toBe(2_000);
  });

  it('makes way for the next one, however much time it has', () => {
    const { isOver } = beginWith(300_000);
    vi.advanceTimersByTime(47_999);
    expect(isOver()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isOver()).toBe(true);
  });

  it('is over when its process is told to stop', () => {
    let left = 300_000;
    const { isOver } = beginRun(() => left);
    expect(isOver()).toBe(false);
    left = 0;
    expect(isOver()).toBe(true);
  });
});
