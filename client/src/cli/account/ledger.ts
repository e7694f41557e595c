import { Command } from '@commander-js/extra-typings';
import { writeMoment } from '../../format/write-day.ts';
import { type Charging, nameUnit, writeNodeHours } from '../../format/write-node-time.ts';
import { writeShortId } from '../../format/write-short-id.ts';
import { writeSize } from '../../format/write-size.ts';
import type { LedgerLine } from '../../index.ts';
import type { Column } from '../screen/write-table.ts';
import type { Open } from '../session/open.ts';
import { readCount, readPastOption } from '../session/read-options.ts';
import { showList } from '../session/show-list.ts';
import { take } from '../session/take.ts';
import { writeExamples } from '../session/write-examples.ts';
import { findProject } from './find-project.ts';
import { readCharging } from './read-charging.ts';

const usualCount = 20;

export function createLedger(open: Open) {
  return new Command('ledger')
    .description('show where your quota went, line by line, the newest first')
    .argument(
      '[project]',
      'a project, or a system for its default project (default: your first quota)',
    )
    .option('--since <when>', 'since then: 7d, 2026-11-01', readPastOption)
    .option('--until <when>', 'before then', readPastOption)
    .option('-l, --limit <count>', 'how many lines', readCount, usualCount)
    .option('--csv', 'as CSV, in seconds and kilobytes')
    .addHelpText(
      'after',
      writeExamples('slipway ledger', 'slipway ledger proj_hpc_one_01 --since 7d --csv'),
    )
    .action(async (project, { since, until, limit, csv }, command) => {
      const session = open(command);
      const client = session.connect();
      const place = project === undefined ? await findFirst() : await findProject(client, project);
      const paged = client.readLedger({ ...place, since, until, limit: Math.min(1000, limit) });
      const [rows, chargingOf] = await Promise.all([take(paged, limit), readCharging(client)]);
      showList(session, {
        rows,
        columns: ledgerColumns(chargingOf(place.hpc.toUpperCase())),
        csv,
        none: 'Nothing has changed in that time.',
      });

      async function findFirst() {
        const [quota] = await client.listQuotas();
        return findProject(client, quota?.project_name ?? '');
      }
    });
}

const ledgerColumns = (charging: Charging): readonly Column<LedgerLine>[] => [
  { head: 'WHEN', cell: ({ at }) => writeMoment(at) },
  { head: 'WHAT', cell: ({ kind }) => kind },
  {
    head: nameUnit(charging).toUpperCase(),
    cell: ({ time }) => sign(time, writeNodeHours(time)),
    align: 'right',
  },
  { head: 'LEFT', cell: ({ time_left: left }) => writeNodeHours(left), align: 'right' },
  {
    head: 'SPACE',
    cell: ({ space }) => (space === 0 ? '' : sign(space, writeSize(space * 1000))),
    align: 'right',
    spare: 1,
  },
  { head: 'JOB', cell: ({ job_id: id }) => (id === null ? '' : writeShortId(id)), spare: 2 },
  { head: 'WHY', cell: ({ reason }) => reason, shrinks: true, spare: 3 },
];

function sign(value: number, written: string): string {
  return value > 0 ? `+${written}` : written;
}
