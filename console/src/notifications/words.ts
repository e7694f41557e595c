import { createPhrase } from '#client/src/words/language.ts';
import { createRich } from '../language/rich.ts';

export const notifications = {
  forPrograms: 'For programs',
  webhookSends: 'A {webhook} sends these events, and others, to an address of your own.',
  webhook: 'webhook',

  byMail: 'By mail',
  sendsNoMail: 'This service sends no mail. Its operator can set it up.',
  confirm: 'Confirm {address}.',
  openLink: 'Open the link in the mail that was sent there. It may take a minute.',
  untilThen: 'Until then, mails go to {address}.',
  yourAddress: 'Your address',
  mailsGoHere: 'Mails go here.',
  addressOfSignIn: 'The address that you sign in with. It needs no confirmation.',
  confirmedByLink: 'You get a mail there with a link that confirms it.',
  tellMeWhen: 'Tell me when',
  jobEnded: 'a job has ended',
  batchEnded: 'all jobs of a batch have ended',
  quotaLow: 'a quota is running low',
  maintenance: 'a maintenance of a system on which you have active jobs is announced',
  statement: 'the month of a project that I lead is final',
  requestDecided: 'my request was decided',
  howOften: 'How often',
  whenMany: 'At once, and many together in one mail',
  daily: 'Once a day, at 6:00 UTC',
  languageOfMails: 'Language of the mails',
  save: 'Save',
  saveAndSendAgain: 'Save and send the link again',
  saved: 'Preferences saved.',
  linkIsSent: 'A mail with a link is on its way to {address}.',
  stopAll: 'Stop all mails',
  noMoreMails: 'You get no more mails.',

  inThisBrowser: 'In this browser',
  cannotShow: 'This browser cannot show notifications.',
  areBlocked:
    'Notifications of this page are blocked. Allow them in the settings of your browser, next to the address, and load the page again.',
  canShow: 'See a notification when a job ends, as long as the console is open in a tab.',
  turnOn: 'Turn on notifications',
  isOn: 'On. You see a notification when a job ends, as long as a tab is open.',
  turnOff: 'Turn off notifications',

  quoted: "'{title}'",
  failed: 'Job {name} failed',
  wasCancelled: 'Job {name} was cancelled',
  hasEnded: 'Job {name} has ended',
  haveEnded: '{count} jobs have ended',
} as const;

export const phrase = createPhrase('notifications', notifications);
export const rich = createRich('notifications', notifications);
