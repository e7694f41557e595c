import { readKilobytes, readNodeTime } from '#client/src/format/amounts/amounts.ts';
import { readEnd } from '#client/src/format/quotas/read-grant.ts';
import { phrase } from './words.ts';

/** What somebody typed about a quota or a budget. */
export interface Draft {
  readonly time: string;
  readonly space: string;
  readonly until: string;
}

/**
 * Reads seconds, kilobytes and the last day, of which null is none. An empty field says nothing.
 * What cannot be read is a problem, and so is a negative amount, in the words of `wrong`.
 */
export function readFields(draft: Draft, now: Date, wrong: Omit<Draft, 'until'>) {
  const problems = new Map<string, string>();
  const amount = (name: 'time' | 'space', read: (text: string) => number | undefined) => {
    if (draft[name].trim() === '') return undefined;
    const found = read(draft[name]) ?? -1;
    if (found < 0) problems.set(name, wrong[name]);
    return found;
  };
  const time = amount('time', readNodeTime);
  const space = amount('space', readKilobytes);
  const { end, problem } = readUntil(draft.until, now);
  if (problem !== undefined) problems.set('valid_until', problem);
  return { problems, time, space, end };
}

/** Reads the end of a quota. An empty text keeps the current end, `never` removes it. */
export function readUntil(text: string, now: Date) {
  if (text.trim() === '') return {};
  const end = readEnd(text, now);
  return end === undefined ? { problem: phrase('enterEnd') } : { end };
}
