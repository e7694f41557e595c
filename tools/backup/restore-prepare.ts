import { openChosenTable, readTableCatalog, tableHelp } from '../choose-table.ts';
import { runTool, text } from '../run-tool.ts';
import { prepareTable } from './restore.ts';

const help = `Prepares a table that was restored to an earlier moment for use (docs/restore.md).

  npm run restore:prepare -- [--leave-out COUNT] [--table NAME]

  --leave-out  how many numbers of jobs, quotas, projects and users to skip, because they may have been
               given since that moment (default 100000); choose more than were given
${tableHelp}

Run it while no service uses the old table or the restored one. Waiting jobs are then looked up on
their systems before they are handed over.
`;

const options = {
  'leave-out': { type: 'string', default: '100000' },
  table: text,
} as const;

await runTool(help, options, async (values) => {
  const leaveOut = values['leave-out'];
  if (!/^[1-9][0-9]{0,11}$/.test(leaveOut))
    throw new Error('--leave-out must be a whole number from 1 on, with at most 12 digits.');
  const { systems } = await readTableCatalog(values.table);
  const table = await openChosenTable(values.table);
  const { doubted, next } = await prepareTable(table, systems, Number(leaveOut));
  process.stdout.write(
    `${doubted} waiting jobs will be looked up on their systems before they are handed over.\n` +
      `The next job is number ${next.job}, the next quota ${next.quota}.\n`,
  );
  return 0;
});
