import {
  type Charging,
  nameUnit,
  readKilobytes,
  readNodeTime,
  writeNodeTime,
  writeSize,
} from '#client/src/format/amounts.ts';
import type { JudgedRequest } from '#client/src/index.ts';
import { currentLanguage } from '#client/src/words/language.ts';
import { readEnd } from '../parts/read-end.ts';
import { phrase } from './words.ts';

/** The amounts and the end that an administrator gives, as typed. */
export interface DecisionDraft {
  readonly time: string;
  readonly space: string;
  readonly until: string;
}

export interface Decision {
  readonly problems: ReadonlyMap<string, string>;
  readonly body: {
    readonly time?: number;
    readonly space?: number;
    readonly valid_until?: string | null;
  };
}

type Asked = Pick<JudgedRequest, 'time' | 'space'>;

/**
 * Starts with what was asked for. Amounts are typed as in English, so other languages start with
 * plain numbers: somebody who changes 1,5 GB to 1,6 GB would give 16.
 */
export function beginDecision({ time, space }: Asked, charging: Charging): DecisionDraft {
  if (currentLanguage().code !== 'en') {
    return {
      time: time > 0 ? String(time / 3600) : '',
      space: space > 0 ? `${space / 1e6} GB` : '',
      until: '',
    };
  }
  return {
    time: time > 0 ? writeNodeTime(time, charging) : '',
    space: space > 0 ? writeSize(space * 1000) : '',
    until: '',
  };
}

/**
 * Reads a decision in seconds and kilobytes. Amounts that nobody changed are not sent, because the
 * displayed amount is rounded and the granted one must not be.
 */
export function readDecision(
  draft: DecisionDraft,
  asked: Asked,
  { charging, now }: { readonly charging: Charging; readonly now: Date },
): Decision {
  const problems = new Map<string, string>();
  const before = beginDecision(asked, charging);
  const asAsked = draft.time === before.time && draft.space === before.space;
  const time = readAmount(draft.time, before.time, asked.time, readNodeTime);
  const space = readAmount(draft.space, before.space, asked.space, readKilobytes);
  if (time === undefined) problems.set('time', phrase('enterTime', { unit: nameUnit(charging) }));
  if (space === undefined) problems.set('space', phrase('enterSpace'));
  if (time === 0 && space === 0) problems.set('time', phrase('giveSomething'));
  const { end, problem } = readEnd(draft.until, now);
  if (problem !== undefined) problems.set('valid_until', problem);
  return {
    problems,
    body: {
      ...(!asAsked && time !== undefined && time > 0 && { time }),
      ...(!asAsked && space !== undefined && space > 0 && { space }),
      ...(end !== undefined && { valid_until: end }),
    },
  };
}

function readAmount(
  text: string,
  before: string,
  asked: number,
  read: (text: string) => number | undefined,
): number | undefined {
  if (text === before) return asked;
  if (text.trim() === '') return 0;
  const amount = read(text);
  return amount !== undefined && amount >= 0 ? amount : undefined;
}

/** Compares the decision with the request, for the words on the button. */
export function compareDecision(
  { time, space }: Decision['body'],
  asked: Asked,
): 'same' | 'less' | 'more' {
  if (time === undefined && space === undefined) return 'same';
  const given = { time: time ?? 0, space: space ?? 0 };
  if (given.time === asked.time && given.space === asked.space) return 'same';
  return given.time <= asked.time && given.space <= asked.space ? 'less' : 'more';
}
