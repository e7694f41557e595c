import { Option } from '@commander-js/extra-typings';
import { given } from '../../calls/given.ts';
import { writeAge } from '../../format/times/write-age.ts';
import type { JudgedRequest, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { term } from '../../words/terms.ts';
import { grantedColumn, writeAmount } from '../quotas/ask.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readAmount, readEnd, readSpace, readUser } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { leaveOutNames, nameColumn, namesOption, type TableWish } from '../session/user-names.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { type Column, column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { beginAct, reasonWords } from './act.ts';

type State = JudgedRequest['state'];

const states = ['open', 'approved', 'declined', 'withdrawn'] as const satisfies State[];

export function createRequestsOfAll(open: Open) {
  return createCommand('requests', phrase('admin.listAndDecideRequests'))
    .examples('slipway admin requests')
    .addCommand(createList(open), { isDefault: true })
    .addCommand(createApprove(open))
    .addCommand(createDecline(open));
}

function createList(open: Open) {
  return createCommand('list', phrase('admin.listRequests'))
    .examples('slipway admin requests list --state declined')
    .addOption(stateOption())
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .option(...namesOption())
    .action((options, command) => showRequests(open(command), options));
}

export function stateOption() {
  return new Option('--state <state>', phrase('admin.stateOfTheRequests'))
    .choices(states)
    .default('open' as const);
}

/** Lists the requests of one project, or of all. */
export async function showRequests(
  session: Session,
  { state, ...wish }: TableWish & { readonly state: State },
  place?: ProjectPlace,
): Promise<void> {
  const { client } = session;
  const asked = { state, hpc: place?.hpc, project: place?.project_name };
  const [rows, chargingOf] = await Promise.all([
    take(client.listAllRequests(asked), Infinity),
    readCharging(client),
  ]);
  const none = noneWords(state);
  const shown = leaveOutNames(rows, wish);
  const columns = requestColumns(shown, state, chargingOf, new Date());
  showList(session, shown, { csv: wish.csv, none }, columns);
}

function noneWords(state: State): string {
  return {
    open: phrase('admin.noOpenRequests'),
    approved: phrase('admin.noRequestsAreApproved'),
    declined: phrase('admin.noRequestsAreDeclined'),
    withdrawn: phrase('admin.noRequestsAreWithdrawn'),
  }[state];
}

function requestColumns(
  requests: readonly JudgedRequest[],
  state: State,
  chargingOf: ChargingOf,
  now: Date,
): Column<JudgedRequest>[] {
  return [
    column('shared.headUser', ({ user }) => user),
    nameColumn(({ name }) => name),
    column('shared.headProject', ({ project_name: name }) => name, { shrinks: true }),
    rightColumn('admin.headAsksFor', (request) =>
      writeAmount(request, chargingOf(request.project_hpc)),
    ),
    ...grantedColumn(requests, chargingOf),
    column('shared.headAsked', ({ opened }) => writeAge(opened, now), { spare: 1 }),
    column('shared.headWhy', ({ reason }) => reason, { shrinks: true }),
    state === 'open'
      ? column('', ({ banned }) => (banned === null ? '' : phrase('admin.isBanned', { banned })), {
          shrinks: true,
          spare: 2,
        })
      : column('admin.headDecision', writeDecision, { shrinks: true, spare: 2 }),
  ];
}

function writeDecision({ decision, state }: JudgedRequest): string {
  return decision === null
    ? ''
    : phrase('admin.decidedBy', { term: term(state), by: decision.by, reason: decision.reason });
}

/** Finds the open request of a user in a project. There is at most one, so nobody needs its id. */
async function findRequest(
  client: Slipway,
  user: string,
  { hpc, project_name: project }: ProjectPlace,
): Promise<JudgedRequest> {
  for await (const request of client.listAllRequests({ state: 'open', hpc, project })) {
    if (request.user === user) return request;
  }
  throw new CannotDo(phrase('admin.hasNoOpenRequest', { user, project }), {
    outcome: outcome.refused,
    next: phrase('admin.listItsOpenRequests', { project }),
  });
}

function createApprove(open: Open) {
  return createCommand('approve', phrase('admin.approveARequest'))
    .examples(
      'slipway admin requests approve 306328 proj_hpc_one_01 --reason "as planned"',
      'slipway admin requests approve 306328 proj_hpc_one_01 200 --reason "200 for now"',
    )
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<project>', phrase('shared.projectOrItsSystem'))
    .argument('[amount]', phrase('admin.timeInTheUnit'), readAmount)
    .option('--space <size>', phrase('shared.spaceDefault'), readSpace)
    .option('--until <day>', phrase('admin.lastDayOfTheQuota'), readEnd)
    .option('--reason <text>', reasonWords())
    .action((user, project, amount, options, command) => {
      const wishes = { ...options, amount };
      return approve(open(command), user, wishes, (client) => findProject(client, project));
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
  { amount, space, until, ...options }: Approval,
  findPlace: FindPlace,
): Promise<void> {
  const { reason, client, print } = await beginAct(session, options);
  const place = await findPlace(client);
  const request = await findRequest(client, user, place);
  const other = amount !== undefined || space !== undefined;
  const approved = await client.approveRequest({
    request_id: request.request_id,
    body: {
      reason,
      // The service expects both amounts, or neither.
      ...(other && { time: amount ?? request.time, space: space ?? request.space }),
      ...given({ valid_until: until }),
    },
  });
  const { time, space: granted } = approved.decision ?? {};
  const charging = (await readCharging(client))(request.project_hpc);
  const amounts = { time: time ?? request.time, space: granted ?? request.space };
  print(
    approved,
    phrase('admin.approvedGets', {
      user,
      amount: writeAmount(amounts, charging),
      projectName: place.project_name,
    }),
  );
}

function createDecline(open: Open) {
  return createCommand('decline', phrase('admin.declineARequest'))
    .examples(
      'slipway admin requests decline 306328 proj_hpc_one_01 --reason "the course has its own project"',
    )
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<project>', phrase('shared.projectOrItsSystem'))
    .option('--reason <text>', reasonWords())
    .action((user, project, options, command) =>
      decline(open(command), user, options, (client) => findProject(client, project)),
    );
}

export async function decline(
  session: Session,
  user: string,
  options: Pick<Approval, 'reason'>,
  findPlace: FindPlace,
): Promise<void> {
  const { reason, client, print } = await beginAct(session, options);
  const place = await findPlace(client);
  const { request_id } = await findRequest(client, user, place);
  const declined = await client.declineRequest({ request_id, body: { reason } });
  const { project_name: projectName } = place;
  print(declined, phrase('admin.declinedGetsNothingMore', { user, projectName }));
}
