import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { runTool } from '../run-tool.ts';
import { tableHelp } from '../table/choose-table.ts';
import { openChosenTable } from '../table/open-chosen-table.ts';
import { findUnknownJobs } from './find-unknown-jobs.ts';

const help = `Lists the jobs that a table does not know, of those that the standard input names (docs/restore.md).

  sacct --allocations --noheader --starttime 2026-11-15T08:00 --format JobName%130 | npm run -s restore:unknown -- --table NAME

${tableHelp}

The input is any text that has job ids in it: the list of a system, the names of inputs in the
storage, an older table. Each line of the output is the id of a job that is not in the table. The
exit code is 1 if there are any.
`;

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      table: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const table = await openChosenTable(values.table);
  const { named, unknown } = await findUnknownJobs(table, await text(process.stdin));
  for (const jobId of unknown) process.stdout.write(`${jobId}\n`);
  process.stderr.write(`${named} named, ${unknown.length} unknown\n`);
  return unknown.length > 0 ? 1 : 0;
});
