import { Command } from '@commander-js/extra-typings';
import { describeQuota } from '../account/quotas.ts';
import { readCharging } from '../account/read-charging.ts';
import { jobColumns } from '../jobs/list/job-columns.ts';
import { readProgress } from '../jobs/list/read-progress.ts';
import type { Open } from '../session/open.ts';
import type { Session } from '../session/session.ts';
import { writeExamples } from '../session/write-examples.ts';

const mostJobs = 10;

/** What `slipway` alone is taken for. */
export function createOverview(open: Open) {
  return new Command('overview')
    .description('show what runs, and what is left')
    .addHelpText('after', writeExamples('slipway'))
    .action((_, command) => showOverview(open(command)));
}

async function showOverview(session: Session): Promise<void> {
  const { screen, json } = session;
  const client = session.connect();
  const [living, quotas, chargingOf] = await Promise.all([
    client.listJobs({ terminal: false, order: 'desc', limit: mostJobs }),
    client.listQuotas({ expand: 'usage' }),
    readCharging(client),
  ]);
  if (json) return screen.say(JSON.stringify({ jobs: living, quotas }, null, 2));
  const now = new Date();
  const rows = await readProgress(client, living, now);
  screen.say(
    ...(rows.length === 0 ? ['Nothing runs.'] : screen.layOut(rows, jobColumns(now, screen.paint))),
    '',
    ...quotas.flatMap((quota) => describeQuota(quota, chargingOf(quota.project_hpc), screen)),
  );
  screen.tell('', 'All commands: slipway --help');
}
