import { type Charging, writeNodeTime, writeSize } from '../../format/amounts.ts';
import { writeAge } from '../../format/write-age.ts';
import { findProject, readCharging } from '../session/find.ts';
import { readNodeTimeOption, readSpaceOption } from '../session/options.ts';
import { createCommand, type Open, showList } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';

export function createAsk(open: Open) {
  return createCommand(
    'ask',
    'request more time or space',
    'slipway ask proj_hpc_one_01 --time "500 node-hours" --reason "a course in spring"',
  )
    .argument('<project>', 'project, or system for its default project')
    .option('--time <node-hours>', 'additional time', readNodeTimeOption)
    .option('--space <size>', 'additional space: 10GB', readSpaceOption)
    .requiredOption('--reason <words>', 'reason, which administrators read')
    .action(async (project, { time, space, reason }, command) => {
      const session = open(command);
      if ((time ?? space) === undefined) {
        throw new CannotDo('The amount is missing.', {
          next: 'Add --time "500 node-hours" or --space 10GB.',
        });
      }
      const { client, print } = session;
      const place = await findProject(client, project);
      const body = {
        ...place,
        reason,
        ...(time !== undefined && { time }),
        ...(space !== undefined && { space }),
      };
      const request = await client.askForMore({ body });
      const chargingOf = await readCharging(client);
      print(
        request,
        `Asked for ${writeAmount(request, chargingOf(request.project_hpc))} in ${place.project_name}. Check it later: slipway requests`,
      );
    });
}

export function createRequests(open: Open) {
  return createCommand('requests', 'list your requests', 'slipway requests')
    .option('--withdraw <request>', 'id of an open request to withdraw')
    .option('--csv', 'print CSV, in seconds and kilobytes')
    .action(async ({ withdraw, csv }, command) => {
      const session = open(command);
      const { client } = session;
      if (withdraw !== undefined) {
        const { state } = await client.withdrawRequest({ request_id: withdraw });
        return session.screen.say(`${withdraw} is ${state}.`);
      }
      const [rows, chargingOf] = await Promise.all([client.listRequests(), readCharging(client)]);
      const now = new Date();
      showList(session, {
        rows: rows.toReversed(),
        columns: [
          { head: 'STATE', cell: ({ state }) => state },
          { head: 'PROJECT', cell: ({ project_name: name }) => name },
          {
            head: 'TIME',
            cell: ({ time, project_hpc: hpc }) => writeNodeTime(time, chargingOf(hpc)),
            align: 'right',
          },
          { head: 'SPACE', cell: ({ space }) => writeSize(space * 1000), align: 'right', spare: 2 },
          { head: 'ASKED', cell: ({ opened }) => writeAge(opened, now), spare: 1 },
          {
            head: 'WHY',
            cell: ({ reason, decision }) => decision?.reason ?? reason,
            shrinks: true,
          },
          { head: 'REQUEST', cell: ({ request_id: id }) => id, spare: 3 },
        ],
        csv,
        none: 'You have no requests. Ask for more: slipway ask --help',
      });
    });
}

/** Writes time and space, each only if it is not zero. */
export function writeAmount(
  { time, space }: { readonly time: number; readonly space: number },
  charging: Charging,
): string {
  return [
    ...(time > 0 || space === 0 ? [writeNodeTime(time, charging)] : []),
    ...(space > 0 ? [writeSize(space * 1000)] : []),
  ].join(' and ');
}
