import { Command } from '@commander-js/extra-typings';
import type { Slipway, User } from '../../../index.ts';
import { findProject } from '../../account/find-project.ts';
import type { Open } from '../../session/open.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { askReason, reasonWords } from '../act/ask-reason.ts';
import { readUser } from '../act/read-user.ts';

export function createBan(open: Open) {
  return new Command('ban')
    .description(
      'keep a user from submitting, to one project or to all; the rest they may still do',
    )
    .argument('<user>', 'the number of the user', readUser)
    .argument('[project]', 'only from this project')
    .option('--reason <text>', `${reasonWords}; the user is told`)
    .addHelpText(
      'after',
      writeExamples('slipway admin ban 306328 --reason "jobs that fill the disks"'),
    )
    .action(async (user, project, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const client = session.connect();
      const place = await findPlace(client, project);
      const banned = await client.banUser({ user_id: user, ...place, body: { reason } });
      if (session.json) return session.screen.say(JSON.stringify(banned, null, 2));
      session.screen.say(
        `Banned     ${user} from submitting ${place ? `to ${place.project_name}` : 'anything'}`,
        `Lift it:   slipway admin unban ${[user, ...(project ? [project] : [])].join(' ')} --reason "..."`,
      );
    });
}

export function createUnban(open: Open) {
  return new Command('unban')
    .description('lift a ban, of one project or of all')
    .argument('<user>', 'the number of the user', readUser)
    .argument('[project]', 'the ban from this project, and no other')
    .option('--reason <text>', reasonWords)
    .addHelpText('after', writeExamples('slipway admin unban 306328 --reason "it was a mistake"'))
    .action(async (user, project, { reason: given }, command) => {
      const session = open(command);
      const { screen } = session;
      const reason = await askReason(session, given);
      const client = session.connect();
      const place = await findPlace(client, project);
      const before = await client.getUser({ user_id: user });
      const after = await client.unbanUser({ user_id: user, ...place, reason });
      if (session.json) return screen.say(JSON.stringify(after, null, 2));
      const where = place ? `to ${place.project_name}` : 'everywhere';
      screen.say(
        countBans(before) === countBans(after)
          ? `Unchanged  ${user} had no such ban`
          : `Unbanned   ${user} may submit ${where} again`,
      );
      if (countBans(after) > 0) screen.tell(`Other bans stay: slipway admin users ${user}`);
    });
}

async function findPlace(client: Slipway, project: string | undefined) {
  return project === undefined ? undefined : findProject(client, project);
}

function countBans({ banned, bans }: User): number {
  return bans.length + (banned === null ? 0 : 1);
}
