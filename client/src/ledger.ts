import type { Paged } from './calls/paged.ts';
import type { CallOptions } from './calls/settings.ts';
import type { Ledger } from './generated/operations.ts';

type AnyLine = Ledger[number];

/** One change of a quota. */
export type LedgerLine = Extract<AnyLine, { readonly kind: unknown }>;

/** What came and went in a day, or for a job. */
export type DaySum = Extract<AnyLine, { readonly day: unknown }>;
export type JobSum = Exclude<AnyLine, LedgerLine | DaySum>;

/** What a ledger consists of follows from what is asked for. */
export interface LedgerReader<Input> {
  (input: Input & { readonly sum: 'day' }, options?: CallOptions): Paged<DaySum>;
  (input: Input & { readonly sum: 'job' }, options?: CallOptions): Paged<JobSum>;
  (input: Input & { readonly sum?: undefined }, options?: CallOptions): Paged<LedgerLine>;
}
