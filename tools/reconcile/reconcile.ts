import { explainFinding } from '#lib/accounts/reconcile-accounts.ts';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { isStoredUserId } from '#lib/catalog/identifiers.ts';
import { readEnvironment, SecretsEnvironment } from '#lib/config.ts';
import { keepCredentialsInProcess, openSecrets } from '#lib/hpc/credentials.ts';
import { openConnector } from '#lib/hpc/open/open-connector.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import type { Table } from '#lib/table/table.ts';
import { openCredentialsFile } from '#local/credentials/credentials-file.ts';
import { stateDirectory } from '#local/settings.ts';
import { openChosenTable, readTableCatalog, tableHelp } from '../choose-table.ts';
import { createProgressBar, flag, runTool, text } from '../run-tool.ts';
import {
  compareWithSystem,
  describeComparison,
  type Period,
  readPeriod,
} from './compare-with-system.ts';
import { type Counts, chooseProjects, reconcileAll } from './reconcile-all.ts';

const help = `Checks that accounts agree with their jobs and their ledgers (docs/decisions/0024-reconciliation.md),
and that no batch, chain or other job stands still, or that jobs were charged what the accounting of their HPC system says (docs/slurm.md).

  npm run reconcile -- [--fix] [--hpc NAME] [--project NAME] [--user NUMBER] [--table NAME]
  npm run reconcile -- --against-system [--hpc NAME] [--since DAY] [--until DAY] [--table NAME]

  --fix      put right what is wrong; the ledger and the audit record it
  --hpc      only accounts of this HPC system
  --project  only accounts of this project
  --user     only accounts of this user
  --against-system
             compare charges with the accounting of the HPC systems that have one; nothing is changed.
             With --table, HPC_SECRETS names the secrets of the systems: '{"mahti": "<its secret>"}'
  --since    with --against-system: from this day on (2026-11-01); 7 days ago without it
  --until    with --against-system: until the end of this day; now without it
${tableHelp}

Each line of the output names one thing that is wrong. The exit code is 1 if anything wrong was not
put right, or if a charge differs from what the system counts and nothing explains it. An account
that kept changing while it was checked counts as busy: check it again later.
`;

const options = {
  fix: flag,
  hpc: text,
  project: text,
  user: text,
  table: text,
  'against-system': flag,
  since: text,
  until: text,
} as const;

await runTool(help, options, async (values) => {
  const { fix, user } = values;
  if (user !== undefined && !isStoredUserId(user))
    throw new Error('--user must be a number of 1 to 32 digits.');
  const catalog = await readTableCatalog(values.table);
  const table = await openChosenTable(values.table);
  const projects = await listProjects(table, catalog.systems);
  if (values['against-system']) {
    const period = readPeriod(values.since, values.until);
    return compareAll(table, only(catalog, values.hpc), projects, period);
  }
  const bar = createProgressBar();
  const counts = await reconcileAll(
    table,
    { projects: chooseProjects(catalog, projects, values), user, fix },
    {
      onFinding: (finding) => {
        const { account, repaired } = finding;
        for (const words of explainFinding(finding)) {
          const end = repaired ? ' (repaired)' : '';
          process.stdout.write(
            `${account.user} ${account.hpc}/${account.project}: ${words}${end}\n`,
          );
        }
      },
      onStanding: ({ user, hpc, project }, words) =>
        process.stdout.write(`${user} ${hpc}/${project}: ${words}\n`),
      onProgress: (done, total, soFar) => bar.update(done, total, summarize(soFar)),
    },
  );
  bar.finish();
  process.stdout.write(`${summarize(counts)}\n`);
  return counts.wrong > counts.repaired ? 1 : 0;
});

/** Keeps one system, so that only its credentials are needed. */
function only(catalog: Catalog, hpc: string | undefined): Catalog {
  return hpc === undefined ? catalog : { systems: [findSystem(catalog, hpc)] };
}

async function compareAll(
  table: Table,
  catalog: Catalog,
  projects: readonly Project[],
  period: Period,
): Promise<number> {
  const { HPC_SECRETS: secrets } = readEnvironment(SecretsEnvironment);
  keepCredentialsInProcess((name) =>
    openCredentialsFile(stateDirectory, only(catalog, name))(name),
  );
  const options = { simulatedHourSeconds: 3600, openCredentials: openSecrets(secrets) };
  let unexplained = 0;
  for (const system of catalog.systems) {
    const connector = openConnector(table, system, options);
    const comparison = await compareWithSystem(table, { system, projects, connector }, period);
    process.stdout.write(`${describeComparison(system.name, comparison)}\n`);
    unexplained += (comparison?.differences ?? []).filter(({ isExplained }) => !isExplained).length;
  }
  return unexplained > 0 ? 1 : 0;
}

function summarize({ checked, wrong, repaired, busy }: Counts): string {
  return `${checked} checked, ${wrong} wrong, ${repaired} repaired, ${busy} busy`;
}
