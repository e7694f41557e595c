import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gatherLines } from '#local/welcome.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('combines lines that follow each other quickly, in order, each once', () => {
  const printed: string[] = [];
  const lines = gatherLines((text) => printed.push(text));
  lines.write('one\n');
  lines.write('two\n');
  expect(printed).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(printed).toEqual(['one\ntwo\n']);
  lines.write('three\n');
  lines.flush();
  vi.advanceTimersByTime(100);
  lines.flush();
  expect(printed).toEqual(['one\ntwo\n', 'three\n']);
});
