import { attendBatch } from '#lib/batches/attend-batch.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import type { PrimaryKey } from '#lib/table/keys.ts';
import { beginRun } from '#lib/time/time-left.ts';
import { jobFiles } from './job-files.ts';
import { table } from './table.ts';

/** Returns what the functions for batches do with each, until their time is up. */
export function attend(leftMs: () => number): (key: PrimaryKey) => Promise<void> {
  const { isOver } = beginRun(leftMs);
  const context = { table, catalog, files: jobFiles, inputs: jobFiles.inputs };
  return (key) => attendBatch({ ...context, now: () => new Date(), isOver }, key);
}
