import { parseArgs } from 'node:util';
import { explainFinding } from '#lib/accounts/reconcile-accounts.ts';
import { isStoredUserId } from '#lib/catalog/identifiers.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { createProgressBar } from './progress-bar.ts';
import { chooseProjects } from './reconcile/choose-projects.ts';
import { type Counts, reconcileAll } from './reconcile/reconcile-all.ts';
import { runTool } from './run-tool.ts';
import { tableHelp } from './table/choose-table.ts';
import { openChosenTable } from './table/open-chosen-table.ts';
import { readTableCatalog } from './table/read-table-catalog.ts';

const help = `Checks that accounts agree with their jobs and their ledgers (docs/decisions/0024-reconciliation.md).

  npm run reconcile -- [--fix] [--hpc NAME] [--project NAME] [--user NUMBER] [--table NAME]

  --fix      put right what is wrong; the ledger and the audit record it
  --hpc      only accounts of this HPC system
  --project  only accounts of this project
  --user     only accounts of this user
${tableHelp}

Each line of the output names one thing that is wrong. The exit code is 1 if anything wrong was not
put right. An account that kept changing while it was checked counts as busy: check it again later.
`;

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      fix: { type: 'boolean', default: false },
      hpc: { type: 'string' },
      project: { type: 'string' },
      user: { type: 'string' },
      table: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const { fix, user } = values;
  if (user !== undefined && !isStoredUserId(user))
    throw new Error('--user must be a number of 1 to 32 digits.');
  const catalog = await readTableCatalog(values.table);
  const table = await openChosenTable(values.table);
  const projects = await listProjects(table, catalog.systems);
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
      onProgress: (done, total, soFar) => bar.update(done, total, summarize(soFar)),
    },
  );
  bar.finish();
  process.stdout.write(`${summarize(counts)}\n`);
  return counts.wrong > counts.repaired ? 1 : 0;
});

function summarize({ checked, wrong, repaired, busy }: Counts): string {
  return `${checked} checked, ${wrong} wrong, ${repaired} repaired, ${busy} busy`;
}
