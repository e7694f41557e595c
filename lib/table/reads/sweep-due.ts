import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Table } from '../table.ts';
import { type DueKey, walkDue } from './due-index.ts';

export interface SweepOptions {
  /** How many items are handled in parallel. */
  readonly width: number;
  readonly clock: () => Date;
}

/** No page is read after this time, so a sweep ends before its function's timeout. */
const sweepMs = 30_000;

const pageSize = 100;

/**
 * Handles everything that is due and returns the failures, so one item does not stop the others.
 * What fails, or what a sweep does not get to, stays due for the next one. The index lags behind,
 * so `handle` must read the item itself.
 */
export async function sweepDue(
  table: Table,
  shards: readonly string[],
  handle: (key: DueKey, now: Date) => Promise<unknown>,
  { width, clock }: SweepOptions,
): Promise<unknown[]> {
  const now = clock();
  const failures: unknown[] = [];
  const handleOne = (key: DueKey) =>
    handle(key, now).catch((error: unknown) => failures.push(error));
  for await (const page of walkDue(table, shards, now, pageSize)) {
    if (clock().getTime() - now.getTime() > sweepMs) break;
    await mapInParallel(page, width, handleOne);
  }
  return failures;
}
