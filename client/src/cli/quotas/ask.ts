import { given } from '../../calls/given.ts';
import { type Charging, writeNodeTime, writeSize } from '../../format/amounts/amounts.ts';
import { joinWords } from '../../format/sentences/join-words.ts';
import { writeAge } from '../../format/times/write-age.ts';
import type { QuotaRequest } from '../../index.ts';
import { term } from '../../words/terms.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readAmount, readSpace } from '../session/options.ts';
import { createCommand, type Open, showList } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { type Column, column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';

export function createAsk(open: Open) {
  return createCommand('ask', phrase('service.requestMoreTimeOrSpace'))
    .examples('slipway ask proj_hpc_one_01 --time "500 node-hours" --reason "a course in spring"')
    .argument('<project>', phrase('shared.projectOrItsSystem'))
    .option('--time <node-hours>', phrase('service.additionalTime'), readAmount)
    .option('--space <size>', phrase('shared.additionalSpace'), readSpace)
    .requiredOption('--reason <words>', phrase('service.reasonWhichAdministratorsRead'))
    .action(async (project, { time, space, reason }, command) => {
      const session = open(command);
      const amounts = given({ time, space });
      if (!amounts) {
        throw new CannotDo(phrase('shared.theAmountIsMissing'), {
          next: phrase('service.addTimeOrSpace'),
        });
      }
      const { client, print } = session;
      const place = await findProject(client, project);
      const request = await client.askForMore({ body: { ...place, reason, ...amounts } });
      const chargingOf = await readCharging(client);
      print(
        request,
        phrase('service.askedFor', {
          amount: writeAmount(request, chargingOf(request.project_hpc)),
          projectName: place.project_name,
        }),
      );
    });
}

export function createRequests(open: Open) {
  return createCommand('requests', phrase('service.listYourRequests'))
    .examples('slipway requests')
    .option('--withdraw <request>', phrase('service.idOfAnOpenRequest'))
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .action(async ({ withdraw, csv }, command) => {
      const session = open(command);
      const { client } = session;
      if (withdraw !== undefined) {
        const { state } = await client.withdrawRequest({ request_id: withdraw });
        return session.screen.say(
          phrase('service.isInState', { name: withdraw, term: term(state) }),
        );
      }
      const [rows, chargingOf] = await Promise.all([client.listRequests(), readCharging(client)]);
      const now = new Date();
      showList(session, rows.toReversed(), { csv, none: phrase('service.youHaveNoRequests') }, [
        column('shared.headState', ({ state }) => term(state)),
        column('shared.headProject', ({ project_name: name }) => name),
        rightColumn('shared.headTime', ({ time, project_hpc: hpc }) =>
          writeNodeTime(time, chargingOf(hpc)),
        ),
        rightColumn('shared.headSpace', ({ space }) => writeSize(space * 1000), { spare: 2 }),
        ...grantedColumn(rows, chargingOf),
        column('shared.headAsked', ({ opened }) => writeAge(opened, now), { spare: 1 }),
        column('shared.headWhy', ({ reason, decision }) => decision?.reason ?? reason, {
          shrinks: true,
        }),
        column('service.headRequest', ({ request_id: id }) => id, { spare: 3 }),
      ]);
    });
}

/** A column for what was granted, if any of the requests was granted something else than it asked for. */
export function grantedColumn(
  requests: readonly QuotaRequest[],
  chargingOf: ChargingOf,
): readonly Column<QuotaRequest>[] {
  const isChanged = requests.some((request) => {
    const { time, space } = grantedBy(request) ?? request;
    return time !== request.time || space !== request.space;
  });
  if (!isChanged) return [];
  const write = (request: QuotaRequest) => {
    const granted = grantedBy(request);
    return granted ? writeAmount(granted, chargingOf(request.project_hpc)) : '';
  };
  return [rightColumn('shared.headGranted', write)];
}

function grantedBy({ state, decision }: QuotaRequest) {
  if (state !== 'approved' || decision === null) return undefined;
  return { time: decision.time ?? 0, space: decision.space ?? 0 };
}

/** Writes time and space, each only if it is not zero. */
export function writeAmount(
  { time, space }: { readonly time: number; readonly space: number },
  charging: Charging,
): string {
  return joinWords([
    ...(time > 0 || space === 0 ? [writeNodeTime(time, charging)] : []),
    ...(space > 0 ? [writeSize(space * 1000)] : []),
  ]);
}
