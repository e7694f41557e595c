import { openChosenTable, readTableCatalog, tableHelp } from '../choose-table.ts';
import { createProgressBar, flag, runTool, text } from '../run-tool.ts';
import { type Counts, importFile } from './import-file.ts';

const help = `Imports projects, jobs, batches and quotas into the table: one JSON object per line (docs/transfer.md).

  npm run import -- FILE [--table NAME] [--dry-run]

${tableHelp}
  --dry-run  say what would happen, but write nothing

You can import the same file again: what is there stays as it is. A line that cannot be read, that
differs from what is there, or whose id belongs to something else, is reported and skipped, and the
exit code is 1.
`;

await runTool(help, { table: text, 'dry-run': flag }, async (values, positionals) => {
  const [file] = positionals;
  if (file === undefined)
    throw new Error('Usage: npm run import -- FILE [--table NAME] [--dry-run]');
  const dryRun = values['dry-run'];
  const catalog = await readTableCatalog(values.table);
  const bar = createProgressBar();
  const counts = await importFile(
    file,
    { table: await openChosenTable(values.table), catalog, dryRun },
    {
      onProblem: (line, message) => process.stderr.write(`line ${line}: ${message}\n`),
      onProgress: (done, total, soFar) => bar.update(done, total, summarize(soFar, dryRun)),
    },
  );
  bar.finish();
  process.stdout.write(`${summarize(counts, dryRun)}\n`);
  return counts.different + counts.wrong > 0 ? 1 : 0;
});

function summarize({ created, present, different, wrong }: Counts, dryRun: boolean): string {
  const verb = dryRun ? 'to create' : 'created';
  return `${created} ${verb}, ${present} present, ${different} different, ${wrong} wrong`;
}
