import { given } from '#client/src/calls/given.ts';
import { readUserNumber } from '#client/src/format/quotas/read-grant.ts';
import type { GrantRow } from '#client/src/index.ts';
import { type Draft, readFields } from '../parts/read-fields.ts';
import { phrase } from './words.ts';

export const verbs = ['give', 'take', 'set'] as const;

/** "Give 306328 500 node-hours on proj_hpc_one_01 until 31 March because ...", as typed. */
export interface Sentence extends Draft {
  readonly verb: (typeof verbs)[number];
  readonly user: string;
  /** `hpc_one/proj_hpc_one_01` */
  readonly place: string;
  readonly reason: string;
}

/**
 * Turns the sentence into a row for the service, in seconds and kilobytes. There is no row while
 * something is wrong or missing, except the reason.
 */
export function readSentence(sentence: Sentence, now: Date) {
  const { problems, time, space, end } = readFields(sentence, now, {
    time: phrase('wrongTime'),
    space: phrase('wrongSpace'),
  });
  const user = readUserNumber(sentence.user);
  if (user === undefined) problems.set('user', phrase('wrongUser'));
  const [hpc = '', project = ''] = sentence.place.split('/');
  if (project === '') problems.set('place', phrase('noProject'));
  const sign = sentence.verb === 'take' ? -1 : 1;
  const amounts = given({ time: time && sign * time, space: space && sign * space });
  const change = given({
    ...(sentence.verb === 'set' ? { set: amounts } : { add: amounts }),
    valid_until: end,
  });
  if (!change && problems.size === 0) problems.set('time', phrase('nothingChanged'));
  if (user === undefined || problems.size > 0) return { problems, row: undefined };
  const reason = sentence.reason.trim() || undefined;
  const row: GrantRow = {
    user_id: user,
    hpc,
    project_name: project,
    ...change,
    ...given({ reason }),
  };
  return { problems, row };
}
