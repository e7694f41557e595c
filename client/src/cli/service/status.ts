import { describeDataset } from '../../format/systems/describe-dataset.ts';
import { describeMaintenance } from '../../format/systems/describe-maintenance.ts';
import {
  describeInputs,
  describeOutputs,
  describePlace,
} from '../../format/systems/describe-place.ts';
import { writeMoment } from '../../format/times/day.ts';
import { writeDuration } from '../../format/times/duration.ts';
import type { Status } from '../../index.ts';
import { createClient } from '../../node/index.ts';
import { term } from '../../words/terms.ts';
import { describeQuotas } from '../quotas/quotas.ts';
import { readCharging } from '../session/find.ts';
import { jobColumns, readProgress, readStages } from '../session/job-view.ts';
import { createCommand, type Open, type Session, showList } from '../session/session.ts';
import { outcome } from '../terminal/outcome.ts';
import { column, rightColumn } from '../terminal/screen.ts';
import { measureText, padText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

export function createStatus(open: Open) {
  return createCommand('status', phrase('service.checkTheService'))
    .examples('slipway status')
    .option('--url <url>', phrase('service.addressOfAnotherService'))
    .action(async ({ url }, command) => {
      const session = open(command);
      const { screen, print } = session;
      const baseUrl = url ?? session.address();
      const client = createClient({ baseUrl, retries: 1, ...session.limits() });
      const { status, version, systems } = await client.readStatus();
      if (systems.some((system) => system.status === 'down')) session.end(outcome.unreachable);
      const states = systems.map((system) => {
        const colour = system.status === 'up' ? 'green' : 'yellow';
        const until = system.closed_until
          ? ` ${phrase('shared.until', { moment: writeMoment(system.closed_until) })}`
          : '';
        return `  ${screen.paint(colour, describe(system.status))}  ${system.name}${until}`;
      });
      print(
        { status, version, systems },
        phrase('service.isInState', { name: baseUrl, term: term(status) }),
        ...states,
      );
    });
}

function describe(status: Status['systems'][number]['status']): string {
  const marks = { up: '✔', down: '✘', unknown: '?', closed: '–' } as const;
  const width = Math.max(...Object.keys(marks).map((each) => measureText(term(each))));
  return `${marks[status]} ${padText(term(status), width, 'end')}`;
}

const mostJobs = 10;

/** The command behind `slipway` alone. */
export function createOverview(open: Open) {
  return createCommand('overview', phrase('shared.showActiveJobsAndRemaining'))
    .examples('slipway')
    .action((_, command) => showOverview(open(command)));
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
      ? [phrase('service.noActiveJobs')]
      : screen.layOut(rows, jobColumns(now, screen.paint, stageOf))),
    '',
    ...(await describeQuotas(client, quotas, chargingOf, screen)),
  );
  screen.tell('', phrase('service.allCommands'));
}

export function createSystems(open: Open) {
  return createCommand('systems', phrase('service.listHpcSystems'))
    .examples('slipway systems')
    .option('--csv', phrase('service.printPlainCsv'))
    .action(async ({ csv }, command) => {
      const session = open(command);
      const { client } = session;
      const [systems, status] = await Promise.all([client.listSystems(), client.readStatus()]);
      const stateOf = new Map(status.systems.map((system) => [system.name, system.status]));
      showList(session, systems, { csv, none: phrase('service.theServiceHasNoSystems') }, [
        column('shared.headSystem', ({ name }) => name),
        column('shared.headState', ({ name }) => term(stateOf.get(name) ?? 'unknown')),
        column('service.headTakes', ({ payload }) =>
          payload.required.includes('tool') ? '--tool' : '--command',
        ),
        rightColumn('service.headNodes', ({ limits }) =>
          phrase('service.upToNodes', { nodeNumber: limits.node_number }),
        ),
        rightColumn(
          'service.headCores',
          ({ limits }) => phrase('service.coresEach', { coreNumber: limits.core_number }),
          { spare: 2 },
        ),
        rightColumn('shared.headTime', ({ limits }) => writeDuration(limits.runtime * 3600)),
        column('service.headProjects', ({ projects }) => projects.join(', '), {
          shrinks: true,
          spare: 1,
        }),
      ]);
      const said = systems.flatMap((system) =>
        [
          system.announcement,
          describePlace(system),
          describeInputs(system),
          describeOutputs(system),
        ]
          .filter((text) => text !== undefined)
          .map((text) => `${system.name}: ${text}`),
      );
      const now = new Date();
      const maintenance = systems.flatMap((system) =>
        (system.maintenance ?? []).map((each) => describeMaintenance(system.name, each, now)),
      );
      const data = systems.flatMap(({ name, datasets = [] }) =>
        datasets.map((each) => `${name}: ${each.path}: ${describeDataset(each)}`),
      );
      const told = [...maintenance, ...said, ...data];
      if (!csv && !session.json && told.length > 0) session.screen.tell('', ...told);
    });
}
