import { openChosenTable, readTableCatalog, tableHelp } from './choose-table.ts';
import { prepareTable } from './restore.ts';
import { runTool } from './run-tool.ts';

const help = `Makes a table that was restored to an earlier moment fit to be served (docs/restore.md).

  npm run restore:prepare -- [--leave-out COUNT] [--table NAME]

  --leave-out  how many numbers of jobs, quotas, projects and users are left out, because they may
               have been given since that moment: 100000 unless told. More than were given is right
${tableHelp}

Run it while nothing serves the table, neither the old one nor the restored one. Jobs that wait in
the table are then looked for on their systems before they are handed over.
`;

await runTool(
  {
    help,
    options: {
      'leave-out': { type: 'string', default: '100000' },
      table: { type: 'string' },
    },
  },
  async (values) => {
    const leaveOut = values['leave-out'];
    if (!/^[1-9][0-9]{0,11}$/.test(leaveOut))
      throw new Error('--leave-out must be a whole number from 1 on, with at most 12 digits.');
    const { systems } = await readTableCatalog(values.table);
    const table = await openChosenTable(values.table);
    const { doubted, next } = await prepareTable(table, systems, Number(leaveOut));
    process.stdout.write(
      `${doubted} waiting jobs will be looked for on their systems before they are handed over.\n` +
        `The next job is number ${next.job}, the next quota ${next.quota}.\n`,
    );
    return 0;
  },
);
