import { countEnds } from '#lib/reports/count-ends.ts';
import { followScan, openChosenTable, tableHelp } from '../choose-table.ts';
import { flag, runTool, text } from '../run-tool.ts';
import { createComparison } from './compare-sums.ts';
import { scanUsage } from './scan-usage.ts';

const help = `Counts ended jobs that the reports do not have yet, from the ledgers (docs/decisions/0033-reports.md).

  npm run reports:rebuild -- [--check] [--table NAME]

  --check    count nothing, only list sums that differ from the ledgers
${tableHelp}

It reads the whole table. You can run it next to the service and repeat it: each end is counted once.
With --check the exit code is 1 if a sum differs. Sums may differ while jobs end, so check again.
`;

await runTool(help, { check: flag, table: text }, async (values) => {
  const table = await openChosenTable(values.table);
  const comparison = createComparison();
  let [ended, counted] = [0, 0];
  await followScan(table, scanUsage(table), async ({ ends, sums }) => {
    ended += ends.length;
    if (values.check) comparison.take(ends, sums);
    else counted += await countEnds(table, ends);
    return `${ended} ended jobs`;
  });
  const differences = comparison.listDifferences();
  for (const line of differences) process.stdout.write(`${line}\n`);
  process.stdout.write(
    values.check
      ? `${ended} ended jobs, ${differences.length} sums differ\n`
      : `${ended} ended jobs, ${counted} of them counted now\n`,
  );
  return differences.length > 0 ? 1 : 0;
});
