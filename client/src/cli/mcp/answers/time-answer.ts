import * as z from 'zod';
import { type Charging, writeNodeTime, writeRest } from '../../../format/write-node-time.ts';

/** Time of a quota: exact, and as people say it. */
export const TimeAnswer = z
  .object({ seconds: z.number(), text: z.string().describe('such as "1.5 node-hours"') })
  .describe('time of a quota');

export type TimeAnswer = z.infer<typeof TimeAnswer>;

export function presentTime(seconds: number, charging: Charging): TimeAnswer {
  return { seconds, text: writeNodeTime(seconds, charging) };
}

/** What is left of something. */
export function presentRest(seconds: number, charging: Charging): TimeAnswer {
  return { seconds, text: writeRest(seconds, charging) };
}
