import { describe, expect, it } from 'vitest';
import { createShortMemory } from '#lib/memory/short-memory.ts';

describe('a short memory', () => {
  it('forgets what is too old for good, even if the clock is set back', () => {
    let time = 0;
    const memory = createShortMemory<string>({ most: 10, maxAgeMs: 100, now: () => time });
    memory.keep('one', 'first');
    time = 99;
    expect(memory.recall('one')).toBe('first');
    time = 100;
    expect(memory.recall('one')).toBeUndefined();
    time = 99;
    expect(memory.recall('one')).toBeUndefined();
  });

  it('knows no age from before its clock was set back', () => {
    let time = 50;
    const memory = createShortMemory<string>({ most: 10, maxAgeMs: 100, now: () => time });
    memory.keep('one', 'first');
    time = 49;
    expect(memory.recall('one')).toBeUndefined();
  });

  it('has room for so many, and forgets the one that was kept longest ago', () => {
    const memory = createShortMemory<number>({ most: 2, maxAgeMs: 100, now: () => 0 });
    for (const [at, name] of ['one', 'two', 'one', 'three'].entries()) memory.keep(name, at);
    expect(['one', 'two', 'three'].map((name) => memory.recall(name))).toEqual([2, undefined, 3]);
  });
});
