import { Command, Option } from '@commander-js/extra-typings';
import { writeAge } from '../../../format/write-age.ts';
import type { JudgedRequest } from '../../../index.ts';
import { writeAmount } from '../../account/ask.ts';
import { type ChargingOf, readCharging } from '../../account/read-charging.ts';
import type { Column } from '../../screen/write-table.ts';
import type { Open } from '../../session/open.ts';
import { showList } from '../../session/show-list.ts';
import { take } from '../../session/take.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { createApprove, createDecline } from './decide.ts';

const states = [
  'open',
  'approved',
  'declined',
  'withdrawn',
] as const satisfies JudgedRequest['state'][];

export function createRequestsOfAll(open: Open) {
  return new Command('requests')
    .description('see what users ask for, approve it, or decline')
    .addHelpText('after', writeExamples('slipway admin requests'))
    .addCommand(createList(open), { isDefault: true })
    .addCommand(createApprove(open))
    .addCommand(createDecline(open));
}

function createList(open: Open) {
  return new Command('list')
    .description('list what users ask for, the oldest first')
    .addOption(
      new Option('--state <state>', 'only those in this state')
        .choices(states)
        .default('open' as const),
    )
    .option('--csv', 'as CSV, in seconds and kilobytes')
    .addHelpText('after', writeExamples('slipway admin requests list --state declined'))
    .action(async ({ state, csv }, command) => {
      const session = open(command);
      const client = session.connect();
      const [rows, chargingOf] = await Promise.all([
        take(client.listAllRequests({ state }), Infinity),
        readCharging(client),
      ]);
      showList(session, {
        rows,
        columns: requestColumns(state, chargingOf, new Date()),
        csv,
        none: state === 'open' ? 'Nobody waits for a decision.' : `No request is ${state}.`,
      });
    });
}

function requestColumns(
  state: JudgedRequest['state'],
  chargingOf: ChargingOf,
  now: Date,
): Column<JudgedRequest>[] {
  return [
    { head: 'USER', cell: ({ user }) => user },
    { head: 'PROJECT', cell: ({ project_name: name }) => name, shrinks: true },
    {
      head: 'ASKS FOR',
      cell: (request) => writeAmount(request, chargingOf(request.project_hpc)),
      align: 'right',
    },
    { head: 'ASKED', cell: ({ opened }) => writeAge(opened, now), spare: 1 },
    { head: 'WHY', cell: ({ reason }) => reason, shrinks: true },
    state === 'open'
      ? { head: '', cell: writeBan, shrinks: true, spare: 2 }
      : { head: 'DECISION', cell: writeDecision, shrinks: true, spare: 2 },
  ];
}

function writeBan({ banned }: JudgedRequest): string {
  return banned === null ? '' : `banned: ${banned}`;
}

function writeDecision({ decision, state }: JudgedRequest): string {
  return decision === null ? '' : `${state} by ${decision.by}: ${decision.reason}`;
}
