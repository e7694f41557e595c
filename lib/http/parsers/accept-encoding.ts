import * as v from 'valibot';
import { codings } from '#lib/reference/reference-file.ts';
import { findPreference } from './preference.ts';

/** How a file is packed on its way: as small as the client takes it. */
export const acceptEncoding = v.pipe(
  v.object({ 'accept-encoding': v.optional(v.string(), '') }),
  v.transform(({ 'accept-encoding': accepted }) => ({
    coding: codings.find((coding) => isTaken(accepted, coding)) ?? 'identity',
  })),
);

/** What is not named is meant by `*`, where that is named. */
function isTaken(accepted: string, coding: string): boolean {
  return (findPreference(accepted, coding) ?? findPreference(accepted, '*') ?? 0) > 0;
}
