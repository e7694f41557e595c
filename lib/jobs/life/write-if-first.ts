import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';

/** Never leaves this file. */
class TooLateError extends Error {}

/** Refuses a step because something else changed the job first. */
export function tooLate(): Error {
  return new TooLateError('Something else happened to the job first.');
}

/**
 * Returns false, with nothing written, if something else changed the job first. A cancel, a
 * completion and a repeated request may race for the same job, and only one of them may win.
 */
export async function writeIfFirst(table: Table, steps: readonly Step[]): Promise<boolean> {
  try {
    await writeTransaction(table, steps);
    return true;
  } catch (error) {
    if (error instanceof TooLateError) return false;
    throw error;
  }
}
