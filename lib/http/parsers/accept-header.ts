import * as v from 'valibot';
import { findPreference } from './preference.ts';

/** What a table is sent as: CSV to those who ask for it at least as much as for JSON. */
export const acceptHeader = v.pipe(
  v.object({ accept: v.optional(v.string(), '') }),
  v.transform(({ accept }) => {
    const csv = findPreference(accept, 'text/csv') ?? 0;
    const json = findPreference(accept, 'application/json') ?? 0;
    return { form: csv > 0 && csv >= json ? 'csv' : 'json' } as const;
  }),
);

export type TableForm = v.InferOutput<typeof acceptHeader>['form'];
