import * as v from 'valibot';

/** What a table is sent as: CSV to those who ask for it at least as much as for JSON. */
export const acceptHeader = v.pipe(
  v.object({ accept: v.optional(v.string(), '') }),
  v.transform(({ accept }) => {
    const csv = weigh(accept, 'text/csv');
    return { form: csv > 0 && csv >= weigh(accept, 'application/json') ? 'csv' : 'json' } as const;
  }),
);

export type TableForm = v.InferOutput<typeof acceptHeader>['form'];

/** How much a type is wanted (RFC 9110, 12.5.1): its q, or 0 where it is not named. */
function weigh(accept: string, type: string): number {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim()));
  const [, ...parameters] = ranges.find(([name]) => name?.toLowerCase() === type) ?? ['', 'q=0'];
  const q = parameters.find((each) => /^q=/i.test(each))?.slice(2) ?? '1';
  return Number(q) || 0;
}
