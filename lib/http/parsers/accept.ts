import * as v from 'valibot';
import { codings } from '#lib/reference/reference-file.ts';

/** Chooses CSV for a table if the client prefers it to JSON, or likes both equally. */
export const acceptHeader = v.pipe(
  v.object({ accept: v.optional(v.string(), '') }),
  v.transform(({ accept }) => {
    const csv = findPreference(accept, 'text/csv') ?? 0;
    const json = findPreference(accept, 'application/json') ?? 0;
    return { form: csv > 0 && csv >= json ? 'csv' : 'json' } as const;
  }),
);

/** Chooses a line for each entry of a list if the client asks for that. */
export const acceptLines = v.pipe(
  v.object({ accept: v.optional(v.string(), '') }),
  v.transform(({ accept }) => ({ inLines: (findPreference(accept, jsonLines) ?? 0) > 0 })),
);

const jsonLines = 'application/x-ndjson';

export type TableForm = v.InferOutput<typeof acceptHeader>['form'];

/** Chooses the smallest encoding that the client accepts. */
export const acceptEncoding = v.pipe(
  v.object({ 'accept-encoding': v.optional(v.string(), '') }),
  v.transform(({ 'accept-encoding': accepted }) => ({
    coding: codings.find((coding) => isAccepted(accepted, coding)) ?? 'identity',
  })),
);

/** The one coding that every client reads which reads any. */
export function acceptsGzip(accepted = ''): boolean {
  return isAccepted(accepted, 'gzip');
}

/** True for browsers. Programs ask for JSON, or for anything. */
export function prefersPage(accept = ''): boolean {
  const page = findPreference(accept, 'text/html') ?? 0;
  return page > (findPreference(accept, 'application/json') ?? 0);
}

/** True for a person with a browser, who gets a page where programs get JSON. */
export const acceptPage = v.pipe(
  v.object({ accept: v.optional(v.string(), '') }),
  v.transform(({ accept }) => ({ isPerson: prefersPage(accept) })),
);

/** `*` stands for every encoding that the header does not name. */
function isAccepted(accepted: string, coding: string): boolean {
  return (findPreference(accepted, coding) ?? findPreference(accepted, '*') ?? 0) > 0;
}

/** Returns the q value of RFC 9110, 12.5, or undefined if the header does not name the value. */
function findPreference(header: string, wanted: string): number | undefined {
  const choices = header.split(',').map((choice) => choice.split(';').map((part) => part.trim()));
  const found = choices.find(([name]) => name?.toLowerCase() === wanted);
  if (!found) return undefined;
  const [, ...parameters] = found;
  const q = parameters.find((each) => /^q=/i.test(each))?.slice(2) ?? '1';
  return Number(q) || 0;
}
