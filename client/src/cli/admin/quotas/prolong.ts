import { Command } from '@commander-js/extra-typings';
import { findProject } from '../../account/find-project.ts';
import type { Open } from '../../session/open.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { askReason, reasonWords } from '../act/ask-reason.ts';
import { readEnd } from '../act/read-end.ts';
import { readUser } from '../act/read-user.ts';
import { changeQuota } from './change-quota.ts';
import { showChange } from './show-change.ts';

export function createProlong(open: Open) {
  return new Command('prolong')
    .description('give a quota another end')
    .argument('<user>', 'the number of the user', readUser)
    .argument('<project>', 'the project, or a system for its default project')
    .argument('<day>', 'its last day: "30 June", 2027-06-30, "3 months"; or never', readEnd)
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin prolong 306328 proj_hpc_one_01 "30 June" --reason "the thesis takes longer"',
      ),
    )
    .action(async (user, project, end, options, command) => {
      const session = open(command);
      const reason = await askReason(session, options.reason);
      const client = session.connect();
      const place = { user_id: user, ...(await findProject(client, project)) };
      const changed = await changeQuota(client, place, { valid_until: end, reason });
      await showChange(session, client, 'Prolonged', changed);
    });
}
