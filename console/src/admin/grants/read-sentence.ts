import { readKilobytes, readNodeTime } from '#client/src/format/amounts.ts';
import type { GrantRow } from '#client/src/index.ts';
import { readEnd } from '../parts/read-end.ts';
import { phrase } from './words.ts';

export const verbs = ['give', 'take', 'set'] as const;

/** "Give 306328 500 node-hours on proj_hpc_one_01 until 31 March because ...", as typed. */
export interface Sentence {
  readonly verb: (typeof verbs)[number];
  readonly user: string;
  readonly time: string;
  readonly space: string;
  /** `hpc_one/proj_hpc_one_01` */
  readonly place: string;
  readonly until: string;
  readonly reason: string;
}

export interface ReadSentence {
  readonly problems: ReadonlyMap<string, string>;
  /** Undefined while something is wrong or missing, except the reason. */
  readonly row: GrantRow | undefined;
}

/** Turns the sentence into a row for the service, in seconds and kilobytes. */
export function readSentence(sentence: Sentence, now: Date): ReadSentence {
  const problems = new Map<string, string>();
  const user = sentence.user.trim();
  if (!/^\d+$/.test(user)) problems.set('user', phrase('wrongUser'));
  const [hpc = '', project = ''] = sentence.place.split('/');
  if (project === '') problems.set('place', phrase('noProject'));
  const time = readAmount(sentence.time, readNodeTime);
  const space = readAmount(sentence.space, readKilobytes);
  if (time === 'unreadable') problems.set('time', phrase('wrongTime'));
  if (space === 'unreadable') problems.set('space', phrase('wrongSpace'));
  const { end, problem } = readEnd(sentence.until, now);
  if (problem !== undefined) problems.set('until', problem);
  const change = writeChange(sentence.verb, time, space);
  if (!change && end === undefined && problems.size === 0) {
    problems.set('time', phrase('nothingChanged'));
  }
  const reason = sentence.reason.trim();
  return {
    problems,
    row:
      problems.size > 0
        ? undefined
        : {
            user_id: user,
            hpc,
            project_name: project,
            ...change,
            ...(end !== undefined && { valid_until: end }),
            ...(reason !== '' && { reason }),
          },
  };
}

type Amount = number | 'unreadable' | undefined;

function readAmount(text: string, read: (text: string) => number | undefined): Amount {
  if (text.trim() === '') return undefined;
  const amount = read(text);
  return amount === undefined || amount < 0 ? 'unreadable' : amount;
}

function writeChange(verb: Sentence['verb'], time: Amount, space: Amount) {
  const sign = verb === 'take' ? -1 : 1;
  const amounts = {
    ...(typeof time === 'number' && { time: sign * time }),
    ...(typeof space === 'number' && { space: sign * space }),
  };
  if (Object.keys(amounts).length === 0) return undefined;
  return verb === 'set' ? { set: amounts } : { add: amounts };
}
