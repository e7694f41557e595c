import { Command } from '@commander-js/extra-typings';
import type { Job, Slipway } from '../../../index.ts';
import { writeCsv } from '../../screen/write-csv.ts';
import type { Open } from '../../session/open.ts';
import { readCount, readPastOption } from '../../session/read-options.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { jobColumns } from './job-columns.ts';
import { readProgress } from './read-progress.ts';
import { watch } from './watch.ts';

const usualCount = 20;
const watchMs = 2_000;

export function createJobs(open: Open) {
  return new Command('jobs')
    .description('list your jobs, the newest first')
    .argument('[hpc]', 'only those on this HPC system')
    .argument('[project]', 'only those of this project')
    .option('--living', 'only those that have not ended')
    .option('--ended', 'only those that have ended')
    .option('--failed', 'only those that failed')
    .option('--stage <word>', 'only those in this stage, in the word of the system')
    .option('--title <text>', 'only those whose title contains this')
    .option('--since <when>', 'only those submitted since then: 7d, 2026-11-01', readPastOption)
    .option('--until <when>', 'only those submitted before', readPastOption)
    .option('-l, --limit <count>', 'how many', readCount, usualCount)
    .option('-a, --all', 'all of them')
    .option('--csv', 'as CSV, with all fields')
    .option('-w, --watch', 'look again and again, until Ctrl-C')
    .addHelpText(
      'after',
      writeExamples('slipway jobs --watch', 'slipway jobs hpc_one --failed --since 7d'),
    )
    .action(async (hpc, project, options, command) => {
      const session = open(command);
      const client = session.connect();
      const { screen } = session;
      const filter = {
        order: 'desc' as const,
        hpc: hpc?.toLowerCase(),
        project_name: project,
        terminal: chooseEnd(options),
        failed: options.failed,
        stage: options.stage?.toUpperCase(),
        title: options.title,
        since: options.since,
        until: options.until,
      };
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

/** Neither, or both, is all of them. */
function chooseEnd({
  living,
  ended,
}: {
  readonly living?: true | undefined;
  readonly ended?: true | undefined;
}) {
  return living === ended ? undefined : ended === true;
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

async function readJobs(client: Slipway, filter: Filter, most: number): Promise<Job[]> {
  const jobs: Job[] = [];
  const limit = Math.min(1000, most);
  for await (const job of client.listJobs({ ...filter, limit })) {
    jobs.push(job);
    if (jobs.length >= most) break;
  }
  return jobs;
}
