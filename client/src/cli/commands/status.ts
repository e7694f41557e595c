import { describePlace } from '../../format/describe-place.ts';
import { writeDuration } from '../../format/duration.ts';
import { createClient } from '../../node/index.ts';
import { readCharging } from '../session/find.ts';
import { jobColumns, readProgress, readStages } from '../session/job-view.ts';
import { createCommand, type Open, type Session, showList } from '../session/session.ts';
import { outcome } from '../terminal/outcome.ts';
import { describeQuotas } from './quotas.ts';

export function createStatus(open: Open) {
  return createCommand('status', 'check the service and its systems', 'slipway status')
    .option('--url <url>', 'address of another service')
    .action(async ({ url }, command) => {
      const session = open(command);
      const { screen, print } = session;
      const baseUrl = url ?? session.address();
      const client = createClient({ baseUrl, retries: 1, ...session.limits() });
      const { status, version, systems } = await client.readStatus();
      if (systems.some((system) => system.status === 'down')) session.end(outcome.unreachable);
      const states = systems.map((system) => {
        const colour = system.status === 'up' ? 'green' : 'yellow';
        return `  ${screen.paint(colour, describe(system.status))}  ${system.name}`;
      });
      print({ status, version, systems }, `${baseUrl} is ${status}.`, ...states);
    });
}

function describe(status: 'up' | 'down' | 'unknown'): string {
  if (status === 'up') return '✔ up     ';
  return status === 'down' ? '✘ down   ' : '? unknown';
}

const mostJobs = 10;

/** The command behind `slipway` alone. */
export function createOverview(open: Open) {
  return createCommand('overview', 'show active jobs and remaining quotas', 'slipway').action(
    (_, command) => showOverview(open(command)),
  );
}

async function showOverview(session: Session): Promise<void> {
  const { client, screen, json } = session;
  const [active, quotas, chargingOf] = await Promise.all([
    client.listJobs({ terminal: false, order: 'desc', limit: mostJobs }),
    client.listQuotas({ expand: 'usage' }),
    readCharging(client),
  ]);
  if (json) return screen.say(JSON.stringify({ jobs: active, quotas }, null, 2));
  const now = new Date();
  const [rows, stageOf] = await Promise.all([
    readProgress(client, active, now),
    readStages(client),
  ]);
  screen.say(
    ...(rows.length === 0
      ? ['No active jobs.']
      : screen.layOut(rows, jobColumns(now, screen.paint, stageOf))),
    '',
    ...(await describeQuotas(client, quotas, chargingOf, screen)),
  );
  screen.tell('', 'All commands: slipway --help');
}

export function createSystems(open: Open) {
  return createCommand('systems', 'list HPC systems and their limits', 'slipway systems')
    .option('--csv', 'print CSV')
    .action(async ({ csv }, command) => {
      const session = open(command);
      const { client } = session;
      const [systems, status] = await Promise.all([client.listSystems(), client.readStatus()]);
      const stateOf = new Map(status.systems.map((system) => [system.name, system.status]));
      showList(session, {
        rows: systems,
        columns: [
          { head: 'SYSTEM', cell: ({ name }) => name },
          { head: 'STATE', cell: ({ name }) => stateOf.get(name) ?? 'unknown' },
          {
            head: 'TAKES',
            cell: ({ payload }) => (payload.required.includes('tool') ? '--tool' : '--command'),
          },
          { head: 'NODES', cell: ({ limits }) => `up to ${limits.node_number}`, align: 'right' },
          {
            head: 'CORES',
            cell: ({ limits }) => `${limits.core_number} each`,
            align: 'right',
            spare: 2,
          },
          {
            head: 'TIME',
            cell: ({ limits }) => writeDuration(limits.runtime * 3600),
            align: 'right',
          },
          {
            head: 'PROJECTS',
            cell: ({ projects }) => projects.join(', '),
            shrinks: true,
            spare: 1,
          },
        ],
        csv,
        none: 'The service has no systems.',
      });
      const places = systems.flatMap((system) => {
        const place = describePlace(system);
        return place === undefined ? [] : [`${system.name}: ${place}`];
      });
      if (!csv && !session.json && places.length > 0) session.screen.tell('', ...places);
    });
}
