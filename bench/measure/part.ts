import type { Figure } from './figures.ts';

/** The value without the option. A number must be given as one, and `false` makes it a flag. */
interface Option {
  readonly usual?: number | string | false;
  readonly about: string;
}

/** The options of one run. */
interface Given {
  count(name: string): number;
  text(name: string): string | undefined;
  flag(name: string): boolean;
}

/** One benchmark. `bench/run.ts` lists all of them. */
export interface Part {
  /** What it measures. */
  readonly about: string;
  /** In addition to --json and --help, which every part has. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Prints what it measures, and returns the figures for the budget. */
  measure(given: Given): Promise<readonly Figure[]>;
}

/** Reads an option that must be a whole number above 0. */
export function readCount(name: string, text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number above 0.`);
  return Number(text);
}
