import * as z from 'zod';
import { CannotDo } from '../../terminal/outcome.ts';

const lastVersion = '0.5.0';

/** Old parameters of submit and estimate. They work until that version. */
export const oldParameters = {
  time: z.string().optional().meta({ deprecated: true }),
};

interface Asked {
  readonly runtime?: number | string | undefined;
  readonly time?: string | undefined;
}

/** Gives old parameters their present names. */
export function renameOld<Each extends Asked>({ time, ...asked }: Each) {
  if (time === undefined) return asked;
  if (asked.runtime !== undefined) throw new CannotDo('Give runtime alone. time is its old name.');
  return { ...asked, runtime: time };
}

/** Says which parameters have another name now. */
export function describeOld({ time }: Asked): readonly string[] {
  return time === undefined ? [] : [`time is now runtime. It works until version ${lastVersion}.`];
}
