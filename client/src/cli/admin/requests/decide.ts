import { Command } from '@commander-js/extra-typings';
import type { JudgedRequest } from '../../../index.ts';
import { writeAmount } from '../../account/ask.ts';
import { findProject } from '../../account/find-project.ts';
import { readCharging } from '../../account/read-charging.ts';
import type { Open } from '../../session/open.ts';
import { readNodeTimeOption, readSpaceOption } from '../../session/read-options.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { askReason, reasonWords } from '../act/ask-reason.ts';
import { readEnd } from '../act/read-end.ts';
import { readUser } from '../act/read-user.ts';
import { findRequest } from './find-request.ts';

export function createApprove(open: Open) {
  return new Command('approve')
    .description('grant what a user asks for in a project, or another amount')
    .argument('<user>', 'the number of the user', readUser)
    .argument('<project>', 'the project, or a system for its default project')
    .argument(
      '[amount]',
      'hours (of nodes, of cores or by the clock, as the system charges), if not as many as were asked for',
      readNodeTimeOption,
    )
    .option('--space <size>', 'space, if not as much as was asked for', readSpaceOption)
    .option('--until <day>', 'the last day of the quota: "31 March", 2027-03-31', readEnd)
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin requests approve 306328 proj_hpc_one_01 --reason "as planned"',
        'slipway admin requests approve 306328 proj_hpc_one_01 200 --reason "200 for now"',
      ),
    )
    .action(async (user, project, amount, options, command) => {
      const session = open(command);
      const reason = await askReason(session, options.reason);
      const client = session.connect();
      const place = await findProject(client, project);
      const request = await findRequest(client, user, place);
      const { space, until } = options;
      const other = amount !== undefined || space !== undefined;
      const approved = await client.approveRequest({
        request_id: request.request_id,
        body: {
          reason,
          // The service takes both for another amount, or none of them.
          ...(other && { time: amount ?? request.time, space: space ?? request.space }),
          ...(until !== undefined && { valid_until: until }),
        },
      });
      const { time, space: granted } = approved.decision ?? {};
      const charging = (await readCharging(client))(request.project_hpc);
      const amounts = { time: time ?? request.time, space: granted ?? request.space };
      tell(
        session,
        approved,
        `Approved   ${user} gets ${writeAmount(amounts, charging)} in ${place.project_name}`,
      );
    });
}

export function createDecline(open: Open) {
  return new Command('decline')
    .description('decline what a user asks for in a project')
    .argument('<user>', 'the number of the user', readUser)
    .argument('<project>', 'the project, or a system for its default project')
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin requests decline 306328 proj_hpc_one_01 --reason "the course has its own project"',
      ),
    )
    .action(async (user, project, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const client = session.connect();
      const place = await findProject(client, project);
      const { request_id } = await findRequest(client, user, place);
      const declined = await client.declineRequest({ request_id, body: { reason } });
      tell(
        session,
        declined,
        `Declined   ${user} gets nothing more in ${place.project_name}, and is told why`,
      );
    });
}

function tell({ screen, json }: Session, request: JudgedRequest, words: string): void {
  screen.say(json ? JSON.stringify(request, null, 2) : words);
}
