import { Command } from '@commander-js/extra-typings';
import type { Slipway } from '../../../index.ts';
import { findProject } from '../../account/find-project.ts';
import { readCharging } from '../../account/read-charging.ts';
import type { Open } from '../../session/open.ts';
import { showList } from '../../session/show-list.ts';
import { take } from '../../session/take.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { readUser } from '../act/read-user.ts';
import { quotaColumns } from './quota-columns.ts';

export function createAllQuotas(open: Open) {
  return new Command('quotas')
    .description("show everybody's quotas, or those of one user")
    .argument('[user]', 'only those of this user', readUser)
    .option('-p, --project <project>', 'only those in this project')
    .option('--csv', 'as CSV, in seconds and kilobytes')
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin quotas 306328',
        'slipway admin quotas --project proj_hpc_one_01 --csv',
      ),
    )
    .action(async (user, { project, csv }, command) => {
      const session = open(command);
      const client = session.connect();
      const chargingOf = await readCharging(client);
      showList(session, {
        rows: await readQuotas(client, user, project),
        columns: quotaColumns(chargingOf),
        csv,
        none: 'No such quotas. Grant one: slipway admin grant --help',
      });
    });
}

async function readQuotas(client: Slipway, user: string | undefined, project: string | undefined) {
  const place = project === undefined ? undefined : await findProject(client, project);
  const expand = 'usage' as const;
  if (user === undefined) return take(client.listAllQuotas({ ...place, expand }), Infinity);
  const own = await take(client.listQuotasOfUser({ user_id: user, expand }), Infinity);
  return place ? own.filter(({ project_name: name }) => name === place.project_name) : own;
}
