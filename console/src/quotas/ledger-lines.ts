import type { Job, Ledger, Slipway } from '#client/src/index.ts';
import { systemOf } from '../browser/routes.ts';

export type LedgerLine = Extract<Ledger[number], { kind: string }>;

/** Lines, not sums: which of them comes is decided by what was asked for. */
export function linesOf(ledger: Ledger): readonly LedgerLine[] {
  return ledger.flatMap((line) => ('kind' in line ? [line] : []));
}

/** What became of what one job reserved, in seconds. */
export function sumUpJob(lines: readonly LedgerLine[]): {
  readonly held: number;
  readonly returned: number;
} {
  const sum = (kind: LedgerLine['kind']) =>
    lines.filter((line) => line.kind === kind).reduce((total, { time }) => total + time, 0);
  return { held: 0 - sum('hold'), returned: sum('settle') };
}

/** What one job reserved and got back, from the lines of its quota since it was submitted. */
export async function readJobAccount(
  service: Slipway,
  job: Job,
  signal: AbortSignal,
): Promise<ReturnType<typeof sumUpJob>> {
  const ledger = await service.readLedger(
    { hpc: systemOf(job), project_name: job.project_name, since: job.init_date, limit: 1000 },
    { signal },
  );
  return sumUpJob(linesOf(ledger).filter(({ job_id: id }) => id === job.job_id));
}
