import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CatalogUse } from './catalog/catalog-use.ts';
import { judgeChange } from './catalog/judge-change.ts';
import { readExport } from './catalog/read-export.ts';
import { readOperatorCatalog } from './catalog/read-operator-catalog.ts';
import { readTable } from './catalog/read-table.ts';
import { createProgressBar } from './progress-bar.ts';
import { runTool } from './run-tool.ts';
import { openChosenTable } from './table/open-chosen-table.ts';

const help = `Checks a catalog (docs/catalog.md): that of CATALOG, or without it the one that ships.

  CATALOG=./centre.json npm run catalog:check -- [--against FILE|TABLE|laptop]

  --against  also check that nothing is changed that jobs or quotas need. FILE is an export
             (npm run export), TABLE a table on AWS, by the region and the credentials of your
             shell, and laptop the laptop edition that runs here

Each line of the output names one thing that is wrong. The exit code is 1 if there is any.
`;

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const catalog = readOperatorCatalog();
  const problems =
    values.against === undefined ? [] : judgeChange(catalog, await readUse(values.against));
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length > 0) return 1;
  const names = catalog.systems.map(({ name }) => name).join(', ');
  process.stdout.write(`The catalog is right: ${names}.\n`);
  return 0;
});

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
    return await readTable(table, (users, livingJobs) =>
      bar.update(0, 1, `${users} users, ${livingJobs} living jobs`),
    );
  } finally {
    bar.finish();
  }
}

/** What nobody calls a table. */
function isPath(name: string): boolean {
  return /[/\\]|\.jsonl?$/.test(name);
}
