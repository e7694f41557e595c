import { Option } from '@commander-js/extra-typings';
import { writeAge } from '../../format/write-age.ts';
import type { JudgedRequest, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { writeAmount } from '../commands/ask.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readEndOption, readNodeTimeOption, readSpaceOption } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import type { Column } from '../terminal/screen.ts';
import { askReason, readUser, reasonWords } from './act.ts';

type State = JudgedRequest['state'];

const states = ['open', 'approved', 'declined', 'withdrawn'] as const satisfies State[];

export function createRequestsOfAll(open: Open) {
  return createCommand('requests', 'list and decide requests of users', 'slipway admin requests')
    .addCommand(createList(open), { isDefault: true })
    .addCommand(createApprove(open))
    .addCommand(createDecline(open));
}

function createList(open: Open) {
  return createCommand(
    'list',
    'list requests, oldest first',
    'slipway admin requests list --state declined',
  )
    .addOption(stateOption())
    .option('--csv', 'print CSV, in seconds and kilobytes')
    .action((options, command) => showRequests(open(command), options));
}

export function stateOption() {
  return new Option('--state <state>', 'state of the requests (default: open)')
    .choices(states)
    .default('open' as const);
}

interface Shown {
  readonly state: State;
  readonly csv?: true | undefined;
}

/** Lists the requests of one project, or of all. */
export async function showRequests(
  session: Session,
  { state, csv }: Shown,
  place?: ProjectPlace,
): Promise<void> {
  const { client } = session;
  const asked = { state, hpc: place?.hpc, project: place?.project_name };
  const [rows, chargingOf] = await Promise.all([
    take(client.listAllRequests(asked), Infinity),
    readCharging(client),
  ]);
  showList(session, {
    rows,
    columns: requestColumns(state, chargingOf, new Date()),
    csv,
    none: state === 'open' ? 'No open requests.' : `No requests are ${state}.`,
  });
}

function requestColumns(state: State, chargingOf: ChargingOf, now: Date): Column<JudgedRequest>[] {
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

/** Finds the open request of a user in a project. There is at most one, so nobody needs its id. */
export async function findRequest(
  client: Slipway,
  user: string,
  { hpc, project_name: project }: ProjectPlace,
): Promise<JudgedRequest> {
  for await (const request of client.listAllRequests({ state: 'open', hpc, project })) {
    if (request.user === user) return request;
  }
  throw new CannotDo(`${user} has no open request in ${project}.`, {
    outcome: outcome.refused,
    next: `List its open requests: slipway project requests -p ${project}`,
  });
}

function createApprove(open: Open) {
  return createCommand(
    'approve',
    'approve a request, or another amount',
    'slipway admin requests approve 306328 proj_hpc_one_01 --reason "as planned"',
    'slipway admin requests approve 306328 proj_hpc_one_01 200 --reason "200 for now"',
  )
    .argument('<user>', 'user number', readUser)
    .argument('<project>', 'project, or system for its default project')
    .argument(
      '[amount]',
      'time, in the unit that the system charges (default: as requested)',
      readNodeTimeOption,
    )
    .option('--space <size>', 'space (default: as requested)', readSpaceOption)
    .option('--until <day>', 'last day of the quota: "31 March", 2027-03-31', readEndOption)
    .option('--reason <text>', reasonWords)
    .action(async (user, project, amount, options, command) => {
      const session = open(command);
      await approve(session, user, { ...options, amount }, (client) =>
        findProject(client, project),
      );
    });
}

interface Approval {
  readonly amount?: number | undefined;
  readonly space?: number | undefined;
  readonly until?: string | null | undefined;
  readonly reason?: string | undefined;
}

type FindPlace = (client: Slipway) => Promise<ProjectPlace>;

/** Approves the open request of a user, after asking for a missing reason. */
export async function approve(
  session: Session,
  user: string,
  { amount, space, until, reason: given }: Approval,
  findPlace: FindPlace,
): Promise<void> {
  const reason = await askReason(session, given);
  const { client } = session;
  const place = await findPlace(client);
  const request = await findRequest(client, user, place);
  const other = amount !== undefined || space !== undefined;
  const approved = await client.approveRequest({
    request_id: request.request_id,
    body: {
      reason,
      // The service expects both amounts, or neither.
      ...(other && { time: amount ?? request.time, space: space ?? request.space }),
      ...(until !== undefined && { valid_until: until }),
    },
  });
  const { time, space: granted } = approved.decision ?? {};
  const charging = (await readCharging(client))(request.project_hpc);
  const amounts = { time: time ?? request.time, space: granted ?? request.space };
  session.print(
    approved,
    `Approved   ${user} gets ${writeAmount(amounts, charging)} in ${place.project_name}`,
  );
}

function createDecline(open: Open) {
  return createCommand(
    'decline',
    'decline a request',
    'slipway admin requests decline 306328 proj_hpc_one_01 --reason "the course has its own project"',
  )
    .argument('<user>', 'user number', readUser)
    .argument('<project>', 'project, or system for its default project')
    .option('--reason <text>', reasonWords)
    .action(async (user, project, { reason }, command) => {
      await decline(open(command), user, reason, (client) => findProject(client, project));
    });
}

export async function decline(
  session: Session,
  user: string,
  given: string | undefined,
  findPlace: FindPlace,
): Promise<void> {
  const reason = await askReason(session, given);
  const { client } = session;
  const place = await findPlace(client);
  const { request_id } = await findRequest(client, user, place);
  const declined = await client.declineRequest({ request_id, body: { reason } });
  session.print(
    declined,
    `Declined   ${user} gets nothing more in ${place.project_name}, and sees the reason`,
  );
}
