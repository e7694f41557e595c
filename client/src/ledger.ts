import type { Paged } from './calls/paged.ts';
import type { CallOptions } from './calls/settings.ts';
import type { Ledger } from './generated/operations.ts';

type AnyLine = Ledger[number];

/** A change of a quota. */
export type LedgerLine = Extract<AnyLine, { readonly kind: unknown }>;

/** Sums of a day or of a job. */
export type DaySum = Extract<AnyLine, { readonly day: unknown }>;
export type JobSum = Exclude<AnyLine, LedgerLine | DaySum>;

/** The items of a ledger depend on `sum`. */
export interface LedgerReader<Input> {
  (input: Input & { readonly sum: 'day' }, options?: CallOptions): Paged<DaySum>;
  (input: Input & { readonly sum: 'job' }, options?: CallOptions): Paged<JobSum>;
  (input: Input & { readonly sum?: undefined }, options?: CallOptions): Paged<LedgerLine>;
}
