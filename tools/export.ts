import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { createProgressBar } from './progress-bar.ts';
import { runTool } from './run-tool.ts';
import { tableHelp } from './table/choose-table.ts';
import { openChosenTable } from './table/open-chosen-table.ts';
import { readRecords } from './transfer/read-records.ts';

const help = `Writes the projects, jobs and quotas of the table, one JSON object per line (docs/transfer.md).

  npm run -s export -- [--table NAME] [--out FILE]

${tableHelp}
  --out      a file (default: standard output)

It reads the whole table: for backups use point-in-time recovery instead.
`;

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      table: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const table = await openChosenTable(values.table);
  const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
  const bar = createProgressBar();
  const out = values.out === undefined ? process.stdout : createWriteStream(values.out);
  let records = 0;
  for await (const { lines, itemsRead } of readRecords(table)) {
    records += lines.length;
    if (lines.length > 0 && !out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
    bar.update(itemsRead, Math.max(itemsRead, Table?.ItemCount ?? 0), `${records} records`);
  }
  bar.finish();
  if (values.out !== undefined) {
    out.end();
    await once(out, 'close');
  }
  process.stderr.write(`${records} records\n`);
  return 0;
});
