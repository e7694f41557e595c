import { parseArgs } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { countEnds } from '#lib/reports/count-ends.ts';
import { createProgressBar } from '../progress-bar.ts';
import { runTool } from '../run-tool.ts';
import { tableHelp } from '../table/choose-table.ts';
import { openChosenTable } from '../table/open-chosen-table.ts';
import { createComparison } from './create-comparison.ts';
import { scanUsage } from './scan-usage.ts';

const help = `Counts ended jobs that the reports do not have yet, from the ledgers (docs/decisions/0033-reports.md).

  npm run reports:rebuild -- [--check] [--table NAME]

  --check    count nothing, but say which sums differ from the ledgers
${tableHelp}

It reads the whole table, and may run beside the service and be repeated: each end is counted once.
With --check the exit code is 1 if a sum differs; one that jobs end for at the same time may, so
check again.
`;

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      table: { type: 'string' },
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
  const comparison = createComparison();
  let [ended, counted] = [0, 0];
  for await (const { ends, sums, itemsRead } of scanUsage(table)) {
    ended += ends.length;
    if (values.check) comparison.take(ends, sums);
    else counted += await countEnds(table, ends);
    bar.update(itemsRead, Math.max(itemsRead, Table?.ItemCount ?? 0), `${ended} ended jobs`);
  }
  bar.finish();
  const differences = comparison.listDifferences();
  for (const line of differences) process.stdout.write(`${line}\n`);
  process.stdout.write(
    values.check
      ? `${ended} ended jobs, ${differences.length} sums differ\n`
      : `${ended} ended jobs, ${counted} of them counted now\n`,
  );
  return differences.length > 0 ? 1 : 0;
});
