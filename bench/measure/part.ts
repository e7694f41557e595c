import type { ParseArgsOptionsConfig } from 'node:util';
import type { Figure } from './figures.ts';

export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** One benchmark. `bench/run.ts` lists all of them. */
export interface Part {
  readonly help: string;
  /** In addition to --json and --help, which every part has. */
  readonly options: ParseArgsOptionsConfig;
  /** Prints what it measures, and returns the figures for the budget. */
  measure(options: Options): Promise<readonly Figure[]>;
}

/** Reads an option that must be a whole number above 0. */
export function readCount(options: Options, name: string, fallback: number): number {
  const text = options[name] ?? String(fallback);
  if (typeof text !== 'string' || !/^[1-9][0-9]{0,8}$/.test(text)) {
    throw new Error(`--${name} must be a whole number above 0.`);
  }
  return Number(text);
}
