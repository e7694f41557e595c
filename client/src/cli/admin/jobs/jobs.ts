import { Command } from '@commander-js/extra-typings';
import type { Job } from '../../../index.ts';
import { jobColumns } from '../../jobs/list/job-columns.ts';
import { readJobFilter, withJobFilter } from '../../jobs/list/job-filter.ts';
import type { Paint } from '../../screen/paint.ts';
import type { Column } from '../../screen/write-table.ts';
import type { Open } from '../../session/open.ts';
import { showList } from '../../session/show-list.ts';
import { take } from '../../session/take.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { readUser } from '../act/read-user.ts';

const mostOfPage = 1000;

export function createAllJobs(open: Open) {
  return withJobFilter(new Command('jobs').description("list everybody's jobs, the newest first"))
    .option('--user <user>', 'only those of this user', readUser)
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin jobs --user 306328 --living',
        'slipway admin jobs hpc_one --failed --since 7d',
      ),
    )
    .action(async (hpc, project, options, command) => {
      const session = open(command);
      const most = options.all ? Infinity : options.limit;
      const rows = await take(
        session.connect().listAllJobs({
          ...readJobFilter(hpc, project, options),
          user: options.user,
          limit: Math.min(mostOfPage, most),
        }),
        most,
      );
      showList(session, {
        rows,
        columns: allJobsColumns(session.screen.paint),
        csv: options.csv,
        none: 'No such jobs.',
      });
      if (rows.length === most) session.screen.tell(`The newest ${most}. All of them: add --all`);
    });
}

/** Those of one's own list, and whose it is. */
function allJobsColumns(paint: Paint): Column<Job>[] {
  const [stage, id, ...others] = jobColumns(new Date(), paint).map(ofJob);
  const owner: Column<Job> = { head: 'USER', cell: (job) => job.owner };
  return [stage, id, owner, ...others].filter((column) => column !== undefined);
}

function ofJob({ cell, paint, ...column }: ReturnType<typeof jobColumns>[number]): Column<Job> {
  return {
    ...column,
    cell: (job) => cell({ job }),
    ...(paint && { paint: (job, text) => paint({ job }, text) }),
  };
}
