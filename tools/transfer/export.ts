import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { followScan, openChosenTable, tableHelp } from '../choose-table.ts';
import { runTool, text } from '../run-tool.ts';
import { readRecords } from './read-records.ts';

const help = `Writes the projects, jobs, batches and quotas of the table, one JSON object per line (docs/transfer.md).

  npm run -s export -- [--table NAME] [--out FILE]

${tableHelp}
  --out      a file (default: standard output)

It reads the whole table: for backups use point-in-time recovery instead.
`;

await runTool(help, { table: text, out: text }, async (values) => {
  const table = await openChosenTable(values.table);
  const out = values.out === undefined ? process.stdout : createWriteStream(values.out);
  let records = 0;
  await followScan(table, readRecords(table), async ({ lines }) => {
    records += lines.length;
    if (lines.length > 0 && !out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
    return `${records} records`;
  });
  if (values.out !== undefined) {
    out.end();
    await once(out, 'close');
  }
  process.stderr.write(`${records} records\n`);
  return 0;
});
