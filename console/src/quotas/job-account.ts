import type { Job, LedgerLine, Slipway } from '#client/src/index.ts';
import { systemOf } from '../browser/address.ts';

/** Sums up what one job reserved and got back, in seconds. */
export function sumUpJob(lines: readonly LedgerLine[]): {
  readonly held: number;
  readonly returned: number;
} {
  const sum = (kind: LedgerLine['kind']) =>
    lines.filter((line) => line.kind === kind).reduce((total, { time }) => total + time, 0);
  return { held: 0 - sum('hold'), returned: sum('settle') };
}

/** Reads what one job reserved and got back from the ledger since its submission. */
export async function readJobAccount(
  service: Slipway,
  job: Job,
  signal: AbortSignal,
): Promise<ReturnType<typeof sumUpJob>> {
  const lines = await service.readLedger(
    { hpc: systemOf(job), project_name: job.project_name, since: job.init_date, limit: 1000 },
    { signal },
  );
  return sumUpJob(lines.filter(({ job_id: id }) => id === job.job_id));
}
