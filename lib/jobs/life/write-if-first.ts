import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';

/** Never leaves this file. */
class TooLateError extends Error {}

/** The refusal of a step that something else was faster than. */
export function tooLate(): Error {
  return new TooLateError('Something else happened to the job first.');
}

/**
 * Tells whether it was written: a cancel, a completion and a repeated request may race for the same
 * job, and one of them wins.
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
