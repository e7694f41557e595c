import { Option } from '@commander-js/extra-typings';
import { given } from '../../calls/given.ts';
import { digestNames, mailLanguages, topicNames } from '../../generated/choices.ts';
import type { Notifications } from '../../index.ts';
import { createCommand, type Open } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

export function createNotifications(open: Open) {
  return createCommand('notifications', phrase('service.chooseWhatYouAreTold'))
    .examples(
      'slipway notifications',
      'slipway notifications set --email ada@example.org --events job.ended quota.low',
      'slipway notifications set --language de',
      'slipway notifications off',
    )
    .addCommand(createShow(open), { isDefault: true })
    .addCommand(createSet(open))
    .addCommand(createOff(open));
}

function createShow(open: Open) {
  return createCommand('show', phrase('service.showWhatYouAreTold'))
    .examples('slipway notifications')
    .action(async (_, command) => {
      const { client, print } = open(command);
      const shown = await client.getNotifications();
      print(shown, ...describe(shown));
    });
}

function createSet(open: Open) {
  return createCommand('set', phrase('service.changeIt'))
    .examples('slipway notifications set --email ada@example.org')
    .option('--email <address>', phrase('service.whereMailsGo'))
    .addOption(new Option('--events <names...>', phrase('service.whatToTell')).choices(topicNames))
    .addOption(
      new Option('--digest <when>', phrase('service.whenManyEventsBecomeOne')).choices(digestNames),
    )
    .addOption(
      new Option('--language <code>', phrase('service.languageOfMails')).choices(mailLanguages),
    )
    .action(async ({ email, events, digest, language }, command) => {
      const { client, print } = open(command);
      const now = await client.getNotifications();
      const body = { ...given({ email: email ?? chooseAddress(now), events, digest, language }) };
      const changed = await client.changeNotifications({ body });
      print(changed, ...describe(changed));
    });
}

/** Returns undefined if the user has an address, or one that waits for its link. */
function chooseAddress(now: Notifications): string | undefined {
  if (now.email !== null || now.unconfirmed_email !== null) return undefined;
  if (now.token_email !== null) return now.token_email;
  throw new CannotDo(phrase('service.youHaveNoAddress'), {
    next: phrase('service.addEmailYouExample'),
  });
}

function createOff(open: Open) {
  return createCommand('off', phrase('service.endAllMails'))
    .examples('slipway notifications off')
    .action(async (_, command) => {
      const { client, print } = open(command);
      const changed = await client.changeNotifications({ body: { email: null } });
      print(changed, phrase('service.youGetNoMoreMails'));
    });
}

function describe({
  available,
  email,
  unconfirmed_email: waiting,
  events,
  digest,
  language,
}: Notifications) {
  if (!available) return [phrase('service.thisServiceSendsNoMail')];
  const unconfirmed =
    waiting === null
      ? []
      : [phrase('service.unconfirmed', { waiting }), phrase('service.openTheLink', { waiting })];
  if (email === null && waiting === null) {
    return [phrase('service.youGetNoMails')];
  }
  return [
    email === null ? phrase('service.mailsGoToNobodyYet') : phrase('service.mailsGo', { email }),
    ...unconfirmed,
    events.length === 0
      ? phrase('service.eventsNone')
      : phrase('service.events', { events: events.join(', ') }),
    digest === 'daily' ? phrase('service.digestDaily') : phrase('service.digestWhenThereAreMany'),
    phrase('service.language', { language }),
  ];
}
