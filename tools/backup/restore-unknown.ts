import { text as readText } from 'node:stream/consumers';
import { openChosenTable, tableHelp } from '../choose-table.ts';
import { runTool, text } from '../run-tool.ts';
import { findUnknownJobs } from './restore.ts';

const help = `Lists the jobs that standard input names and the table does not know (docs/restore.md).

  sacct --allocations --noheader --starttime 2026-11-15T08:00 --format JobName%130 | npm run -s restore:unknown -- --table NAME

${tableHelp}

The input is any text with job ids: a system's list of jobs, the names of inputs in the storage, an
export. Each output line is the id of a job that is not in the table. The exit code is 1 if there are any.
`;

await runTool(help, { table: text }, async (values) => {
  const table = await openChosenTable(values.table);
  const { named, unknown } = await findUnknownJobs(table, await readText(process.stdin));
  for (const jobId of unknown) process.stdout.write(`${jobId}\n`);
  process.stderr.write(`${named} named, ${unknown.length} unknown\n`);
  return unknown.length > 0 ? 1 : 0;
});
