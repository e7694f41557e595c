import { countAccounts, listAccounts } from '#lib/accounts/list-accounts.ts';
import { type Finding, reconcileAccounts } from '#lib/accounts/reconcile-accounts.ts';
import { explainStanding, findStanding } from '#lib/batches/find-standing.ts';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { findStandingJobs } from '#lib/jobs/read/find-standing-jobs.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';

export interface ReconcileOptions {
  readonly projects: readonly Project[];
  /** Limits the check to one user. */
  readonly user?: UserId | undefined;
  readonly fix: boolean;
}

export interface Counts {
  readonly checked: number;
  readonly wrong: number;
  readonly repaired: number;
  readonly busy: number;
}

export interface ReconcileReport {
  onFinding(finding: Finding): void;
  /** Told what is wrong with a batch or job that stands still, and what to do. */
  onStanding(account: AccountKey, words: string): void;
  onProgress(done: number, total: number, counts: Counts): void;
}

const pageSize = 100;

export async function reconcileAll(
  table: Table,
  options: ReconcileOptions,
  report: ReconcileReport,
): Promise<Counts> {
  const total = options.user === undefined ? await countAccounts(table, options.projects) : 1;
  let counts: Counts = { checked: 0, wrong: 0, repaired: 0, busy: 0 };
  for await (const page of listChosen(table, options)) {
    const findings = await reconcileAccounts(table, page, options);
    for (const finding of findings) report.onFinding(finding);
    counts = addFindings(counts, findings);
    for (const account of page) {
      const found = [
        ...(await findStanding(table, account)).map(explainStanding),
        ...(await findStandingJobs(table, account, new Date())),
      ];
      for (const words of found) report.onStanding(account, words);
      counts = { ...counts, wrong: counts.wrong + found.length };
    }
    report.onProgress(counts.checked, Math.max(counts.checked, total), counts);
  }
  return counts;
}

/** Reads one user's accounts directly, without an index, so that none is missed. */
async function* listChosen(table: Table, options: ReconcileOptions): AsyncGenerator<AccountKey[]> {
  const { user, projects } = options;
  if (user === undefined) yield* listAccounts(table, projects, pageSize);
  else yield projects.map(({ hpc, name: project }) => ({ user, hpc, project }));
}

function addFindings(counts: Counts, findings: readonly Finding[]): Counts {
  const count = (...states: Finding['verdict']['state'][]) =>
    findings.filter(({ verdict }) => states.includes(verdict.state)).length;
  return {
    checked: counts.checked + findings.length - count('absent'),
    wrong: counts.wrong + count('drifting', 'damaged'),
    repaired: counts.repaired + findings.filter(({ repaired }) => repaired).length,
    busy: counts.busy + count('busy'),
  };
}

/** Chooses all projects, those of a system, or one. Throws if none matches, to reveal a typo. */
export function chooseProjects(
  catalog: Catalog,
  projects: readonly Project[],
  { hpc, project }: { readonly hpc?: string | undefined; readonly project?: string | undefined },
): Project[] {
  const system = hpc === undefined ? undefined : findSystem(catalog, hpc);
  const chosen = projects.filter(
    (each) =>
      (system === undefined || each.hpc === system.name) &&
      (project === undefined || each.name === project),
  );
  if (chosen.length === 0) throw new Error(`There is no project '${project}'.`);
  return chosen;
}
