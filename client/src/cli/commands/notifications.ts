import { Option } from '@commander-js/extra-typings';
import { digestNames, topicNames } from '../../generated/choices.ts';
import type { Notifications } from '../../index.ts';
import { createCommand, type Open } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';

export function createNotifications(open: Open) {
  return createCommand(
    'notifications',
    'choose what you are told by mail',
    'slipway notifications',
    'slipway notifications set --email ada@example.org --events job.ended quota.low',
    'slipway notifications off',
  )
    .addCommand(createShow(open), { isDefault: true })
    .addCommand(createSet(open))
    .addCommand(createOff(open));
}

function createShow(open: Open) {
  return createCommand('show', 'show what you are told, and where', 'slipway notifications').action(
    async (_, command) => {
      const { client, print } = open(command);
      const shown = await client.getNotifications();
      print(shown, ...describe(shown));
    },
  );
}

function createSet(open: Open) {
  return createCommand(
    'set',
    'change it; what you leave out stays as it is',
    'slipway notifications set --email ada@example.org',
  )
    .option('--email <address>', 'where mails go (default: the address that you sign in with)')
    .addOption(new Option('--events <names...>', 'what to tell').choices(topicNames))
    .addOption(
      new Option('--digest <when>', 'when many events become one mail').choices(digestNames),
    )
    .action(async ({ email, events, digest }, command) => {
      const { client, print } = open(command);
      const now = await client.getNotifications();
      const address = email ?? chooseAddress(now);
      const changed = await client.changeNotifications({
        body: {
          ...(address !== undefined && { email: address }),
          ...(events && { events }),
          ...(digest && { digest }),
        },
      });
      print(changed, ...describe(changed));
    });
}

/** Returns undefined if the user has an address, or one that waits for its link. */
function chooseAddress(now: Notifications): string | undefined {
  if (now.email !== null || now.unconfirmed_email !== null) return undefined;
  if (now.token_email !== null) return now.token_email;
  throw new CannotDo('You have no address for mails yet.', {
    next: 'Add --email you@example.org.',
  });
}

function createOff(open: Open) {
  return createCommand('off', 'end all mails to you', 'slipway notifications off').action(
    async (_, command) => {
      const { client, print } = open(command);
      const changed = await client.changeNotifications({ body: { email: null } });
      print(changed, 'You get no more mails. To get them again: slipway notifications set');
    },
  );
}

function describe({ available, email, unconfirmed_email: waiting, events, digest }: Notifications) {
  if (!available) return ['This service sends no mail. Webhooks work: slipway webhooks --help'];
  const unconfirmed =
    waiting === null
      ? []
      : [
          `Unconfirmed  ${waiting}`,
          `             Open the link in the mail to it. For another one: slipway notifications set --email ${waiting}`,
        ];
  if (email === null && waiting === null) {
    return ['You get no mails. To get them: slipway notifications set --email you@example.org'];
  }
  return [
    `Mails go to  ${email ?? 'nobody yet'}`,
    ...unconfirmed,
    `Events       ${events.length === 0 ? 'none' : events.join(', ')}`,
    `Digest       ${digest === 'daily' ? 'daily, at 6:00 UTC' : 'when there are many'}`,
  ];
}
