import { readKilobytes } from '#client/src/format/read-kilobytes.ts';
import { readNodeTime } from '#client/src/format/read-node-time.ts';
import { type Charging, nameUnit } from '#client/src/format/write-node-time.ts';

/** What is asked for, as it was typed. */
export interface RequestDraft {
  readonly account: string;
  /** `500 node-hours`, or nothing. */
  readonly time: string;
  /** `10 GB`, or nothing. */
  readonly space: string;
  readonly reason: string;
}

export interface ReadRequest {
  readonly problems: ReadonlyMap<string, string>;
  readonly body: { readonly time?: number; readonly space?: number; readonly reason: string };
}

/** In seconds and kilobytes, as the service takes it. */
export function readRequest(
  { time, space, reason }: RequestDraft,
  charging: Charging,
): ReadRequest {
  const problems = new Map<string, string>();
  const seconds = time.trim() === '' ? undefined : readNodeTime(time);
  const kilobytes = space.trim() === '' ? undefined : readKilobytes(space);
  if (time.trim() !== '' && !(seconds !== undefined && seconds > 0)) {
    problems.set('time', `Write an amount, for example 500 ${nameUnit(charging)}.`);
  }
  if (space.trim() !== '' && !(kilobytes !== undefined && kilobytes > 0)) {
    problems.set('space', 'Write an amount with its unit, for example 10 GB.');
  }
  if (time.trim() === '' && space.trim() === '')
    problems.set('time', 'Ask for time, space, or both.');
  if (reason.trim() === '')
    problems.set('reason', 'Say what it is for: the administrators decide by it.');
  return {
    problems,
    body: {
      ...(seconds !== undefined && { time: seconds }),
      ...(kilobytes !== undefined && { space: kilobytes }),
      reason: reason.trim(),
    },
  };
}
