import { Command } from '@commander-js/extra-typings';
import type { Job, Slipway } from '../../../index.ts';
import { writeCsv } from '../../screen/write-csv.ts';
import type { Open } from '../../session/open.ts';
import type { Session } from '../../session/session.ts';
import { take } from '../../session/take.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { jobColumns } from './job-columns.ts';
import { readJobFilter, withJobFilter } from './job-filter.ts';
import { readProgress } from './read-progress.ts';
import { watch } from './watch.ts';

const watchMs = 2_000;

export function createJobs(open: Open) {
  return withJobFilter(new Command('jobs').description('list your jobs, the newest first'))
    .option('-w, --watch', 'look again and again, until Ctrl-C')
    .addHelpText(
      'after',
      writeExamples('slipway jobs --watch', 'slipway jobs hpc_one --failed --since 7d'),
    )
    .action(async (hpc, project, options, command) => {
      const session = open(command);
      const client = session.connect();
      const { screen } = session;
      const filter = readJobFilter(hpc, project, options);
      const most = options.all ? Number.POSITIVE_INFINITY : options.limit;
      if (options.watch && screen.isLive && !session.json) {
        return watch(session, watchMs, () => drawJobs(session, client, filter, most));
      }
      const jobs = await readJobs(client, filter, most);
      if (session.json) return screen.say(JSON.stringify(jobs, null, 2));
      if (options.csv) return screen.raw(writeCsv(jobs));
      if (jobs.length === 0) return screen.tell(noJobs);
      screen.say(...(await layOutJobs(session, client, jobs)));
      if (jobs.length === most) screen.tell(`The newest ${most}. All of them: slipway jobs --all`);
    });
}

const noJobs = 'No such jobs. Submit one: slipway submit --help';

type Filter = Parameters<Slipway['listJobs']>[0];

async function drawJobs(session: Session, client: Slipway, filter: Filter, most: number) {
  const jobs = await readJobs(client, filter, most);
  return jobs.length === 0 ? [noJobs] : layOutJobs(session, client, jobs);
}

async function layOutJobs({ screen }: Session, client: Slipway, jobs: readonly Job[]) {
  const now = new Date();
  return screen.layOut(await readProgress(client, jobs, now), jobColumns(now, screen.paint));
}

function readJobs(client: Slipway, filter: Filter, most: number): Promise<Job[]> {
  return take(client.listJobs({ ...filter, limit: Math.min(1000, most) }), most);
}
