import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseCsv } from '#client/src/rows/parse-csv.ts';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import { openChosenTable, readTableCatalog, tableHelp } from '../choose-table.ts';
import { createProgressBar, flag, runTool, text } from '../run-tool.ts';
import { readTableMap, translateTable } from './from-csv.ts';
import { readRenames, translateAssociations } from './from-slurm.ts';
import { type Counts, importFile } from './import-file.ts';
import { type FindUser, importGrants, readLogins } from './import-grants.ts';
import type { ImportOptions } from './import-record.ts';
import type { Translation } from './outside-grant.ts';

const help = `Imports projects, jobs, batches and quotas into the table: one JSON object per line (docs/transfer.md).

  npm run import -- FILE [--table NAME] [--dry-run]
  npm run import -- --from slurm --system NAME [FILE] [--users FILE] [--table NAME] [--dry-run]
  npm run import -- --from csv --map FILE FILE [--users FILE] [--table NAME] [--dry-run]

${tableHelp}
  --dry-run  say what would happen, but write nothing
  --from     another system: slurm (what sacctmgr -P show assoc prints, or slurmrestd answers at
             /slurmdb/v0.0.38/associations; - is standard input; without a file sacctmgr is run),
             or csv (an export of ColdFront, Waldur or others)
  --system   the system here that the associations are for
  --map      a JSON file that says what the columns of the table mean, or for slurm which project an
             account becomes
  --users    a table with the columns user_id and account: who has which account there

You can import the same file again: what is there stays as it is. A line that cannot be read, that
differs from what is there, or whose id belongs to something else, is reported and skipped, and the
exit code is 1.
`;

const options = {
  table: text,
  'dry-run': flag,
  from: text,
  system: text,
  map: text,
  users: text,
};

await runTool(help, options, async (values, [file]) => {
  const dryRun = values['dry-run'];
  const catalog = await readTableCatalog(values.table);
  if (values.from === undefined) {
    if (file === undefined) throw new Error('Name a file. See: npm run import -- --help');
    return importLines(file, { table: await openChosenTable(values.table), catalog, dryRun });
  }
  const translation = translate({ ...values, from: values.from, file }, catalog);
  const table = await openChosenTable(values.table);
  const findUser = values.users === undefined ? await readLogins(table) : readUsers(values.users);
  return importFrom({ table, catalog, dryRun }, translation, findUser);
});

async function importLines(file: string, options: ImportOptions): Promise<number> {
  const { dryRun } = options;
  const bar = createProgressBar();
  const counts = await importFile(file, options, {
    onProblem: reportLine,
    onProgress: (done, total, soFar) => bar.update(done, total, summarize(soFar, dryRun)),
  });
  bar.finish();
  return finish(counts, dryRun);
}

async function importFrom(
  options: ImportOptions,
  translation: Translation,
  findUser: FindUser,
): Promise<number> {
  for (const words of translation.choices) process.stdout.write(`${words}\n`);
  const counts = await importGrants(options, translation, findUser, {
    onProblem: reportLine,
    onGrant: (line, words) => process.stdout.write(`line ${line}: ${words}\n`),
  });
  return finish(counts, options.dryRun);
}

interface Source {
  readonly from: string;
  readonly file?: string | undefined;
  readonly system?: string | undefined;
  readonly map?: string | undefined;
}

function translate({ from, file, system, map }: Source, catalog: Catalog): Translation {
  if (from === 'slurm') {
    if (system === undefined)
      throw new Error('Name the system that they are for: --system hpc_one');
    const renames = map === undefined ? {} : readRenames(readJson(map));
    return translateAssociations(readAssociations(file), findSystem(catalog, system), renames);
  }
  if (from !== 'csv') throw new Error(`--from is slurm or csv, not '${from}'.`);
  if (map === undefined || file === undefined) {
    throw new Error('Name the table, and the file that says what its columns mean: --map FILE');
  }
  return translateTable(readFileSync(file, 'utf8'), readTableMap(readJson(map)));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readAssociations(file: string | undefined): string {
  if (file === undefined) {
    return execFileSync('sacctmgr', ['-P', 'show', 'assoc'], { encoding: 'utf8' });
  }
  return readFileSync(file === '-' ? 0 : file, 'utf8');
}

/** Reads the table that also `slipway admin accounts` takes. Without a system a row is of any. */
function readUsers(file: string): FindUser {
  const users = new Map<string, UserId>();
  for (const { line, cells } of parseCsv(readFileSync(file, 'utf8')).rows) {
    const { user_id: user, account, hpc = '' } = cells;
    if (!isUserId(user) || account === undefined) {
      throw new Error(
        `${file}, line ${line}: it needs a user_id, which is a number, and an account.`,
      );
    }
    users.set(`${hpc} ${account}`, user);
  }
  return (login, hpc) => users.get(`${hpc} ${login}`) ?? users.get(` ${login}`);
}

function reportLine(line: number, message: string): void {
  process.stderr.write(`line ${line}: ${message}\n`);
}

function finish(counts: Counts, dryRun: boolean): number {
  process.stdout.write(`${summarize(counts, dryRun)}\n`);
  return counts.different + counts.wrong > 0 ? 1 : 0;
}

function summarize({ created, present, different, wrong }: Counts, dryRun: boolean): string {
  const verb = dryRun ? 'to create' : 'created';
  return `${created} ${verb}, ${present} present, ${different} different, ${wrong} wrong`;
}
