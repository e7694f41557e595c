import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { isJobId, type JobId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { distrustBatches, distrustWaiting } from '#lib/jobs/run/hand-over/waiting-jobs.ts';
import { raiseCounter, readCounter } from '#lib/table/counter.ts';
import { counterNames, jobRegistry } from '#lib/table/keys.ts';
import { readRegistry } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';

const width = 25;

/** Finds job ids in a text that are not in the table, in the order of the text. */
export async function findUnknownJobs(table: Table, text: string) {
  const named = listJobIds(text);
  const known = await mapInParallel(
    named,
    width,
    async (jobId) => (await readRegistry(table, jobRegistry(jobId), 1)).users.length > 0,
    { stopAtFailure: true },
  );
  return { named: named.length, unknown: named.filter((_, index) => !known[index]) };
}

/**
 * The two forms of a job id (lib/jobs/job-id.ts). Any text may contain them, such as file names.
 */
const forms = [/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/, /-[0-9A-F]{32}$/];

export function listJobIds(text: string): JobId[] {
  const words: string[] = text.match(/[A-Z0-9_-]+/g) ?? [];
  const ids = words.filter(isJobId).filter((word) => forms.some((form) => form.test(word)));
  return [...new Set(ids)];
}

/**
 * Prepares a table that was restored to an earlier moment for service. Jobs and numbers from after
 * that moment exist on systems and with users, but not in the table. So waiting jobs, also those that
 * batches create later, are looked up before they are handed over, and numbers are skipped. Repeating it only skips more numbers.
 * Returns how many jobs will be looked up, and the next number of each kind.
 */
export async function prepareTable(table: Table, systems: readonly HpcSystem[], leaveOut: number) {
  let doubted = 0;
  for (const { name } of systems) doubted += await distrustWaiting(table, name);
  await distrustBatches(table);
  const next = { job: 0, quota: 0, project: 0, user: 0 };
  for (const name of counterNames) {
    const last = (await readCounter(table, name)) + leaveOut;
    await raiseCounter(table, name, last);
    next[name] = last + 1;
  }
  return { doubted, next };
}
