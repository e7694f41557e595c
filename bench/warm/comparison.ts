import type { RecordedCall } from './recorder.ts';

/** What a process that compares two handlers is told. */
export interface Comparison {
  readonly chainFile: string;
  readonly bareFile: string;
  readonly event: object;
  readonly token: string;
  readonly calls: readonly RecordedCall[];
  readonly resultFile: string;
}

/** Milliseconds of processor time per request, round by round. */
export interface Compared {
  readonly chain: readonly number[];
  readonly bare: readonly number[];
}
