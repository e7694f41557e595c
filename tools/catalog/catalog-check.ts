import { statSync } from 'node:fs';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { readEnvironment, SecretsEnvironment } from '#lib/config.ts';
import { keepCredentialsInProcess, openSecrets } from '#lib/hpc/credentials.ts';
import { openConnector } from '#lib/hpc/open/open-connector.ts';
import { openTable } from '#lib/table/table.ts';
import { openCredentialsFile } from '#local/credentials/credentials-file.ts';
import { stateDirectory } from '#local/settings.ts';
import { openChosenTable } from '../choose-table.ts';
import { createProgressBar, flag, runTool, text } from '../run-tool.ts';
import type { CatalogUse } from './catalog-use.ts';
import { judgeChange } from './judge-change.ts';
import { readExport } from './read-export.ts';
import { readOperatorCatalog } from './read-operator-catalog.ts';
import { readTable } from './read-table.ts';
import { trySystem } from './try-systems.ts';

const help = `Checks a catalog (docs/catalog.md): that of CATALOG, or without it the one that ships.

  CATALOG=./centre.json npm run catalog:check -- [--against FILE|TABLE|laptop] [--try [--as LOGIN]]

  --against  also check that nothing is changed that jobs or quotas need. FILE is an export
             (npm run export), TABLE a table on AWS, by the region and the credentials of your
             shell, and laptop the laptop edition that runs here
  --try      also call each system and run a tiny job there, with the credentials in
             .slipway/credentials.json or the secrets that HPC_SECRETS names. On Slurm, each class
             is also tried with each project that may use it, by a job that is held and cancelled
  --as       an account on the systems whose jobs run as their owners' accounts, for --try; may be
             given several times

Each line of the output names one thing that is wrong. The exit code is 1 if there is any.
`;

const options = { against: text, try: flag, as: { ...text, multiple: true } } as const;

await runTool(help, options, async (values) => {
  const catalog = readOperatorCatalog();
  const problems =
    values.against === undefined ? [] : judgeChange(catalog, await readUse(values.against));
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length > 0) return 1;
  if (values.try && !(await trySystems(catalog, values.as ?? []))) return 1;
  const names = catalog.systems.map(({ name }) => name).join(', ');
  process.stdout.write(`The catalog is right: ${names}.\n`);
  return 0;
});

/** Prints each trial as soon as it ends, because a job may wait for minutes. */
async function trySystems(catalog: Catalog, logins: readonly string[]): Promise<boolean> {
  keepCredentialsInProcess(openCredentialsFile(stateDirectory, catalog));
  const { HPC_SECRETS } = readEnvironment(SecretsEnvironment);
  const openCredentials = openSecrets(HPC_SECRETS);
  const settings = { simulatedHourSeconds: 3600, openCredentials };
  let isRight = true;
  for (const system of catalog.systems) {
    // Only a running laptop edition has the machine that it runs on.
    if (traitsOf(system).simulated || system.connector.kind === 'machine') continue;
    // The table is not used: only simulators keep their jobs in one, and they are skipped.
    const connector = openConnector(openTable('none'), system, settings);
    for (const trial of await trySystem(system, connector, { logins })) {
      process.stdout.write(`${trial.isRight ? 'ok    ' : 'wrong '} ${trial.text}\n`);
      isRight &&= trial.isRight;
    }
  }
  return isRight;
}

async function readUse(against: string): Promise<CatalogUse> {
  const bar = createProgressBar();
  try {
    if (statSync(against, { throwIfNoEntry: false })?.isFile()) {
      return await readExport(against, (bytes, total) =>
        bar.update(bytes, total, `${Math.round(bytes / 1e6)} MB of ${against}`),
      );
    }
    if (isPath(against)) throw new Error(`${against}: there is no such file.`);
    const table = await openChosenTable(against === 'laptop' ? undefined : against);
    return await readTable(table, (users, activeJobs) =>
      bar.update(0, 1, `${users} users, ${activeJobs} active jobs`),
    );
  } finally {
    bar.finish();
  }
}

/** True for names that can only be a file, such as `./export.jsonl`. */
function isPath(name: string): boolean {
  return /[/\\]|\.jsonl?$/.test(name);
}
