import { createPhrase } from '#client/src/words/language.ts';

export const parts = {
  showAsTable: 'Show as a table',
  when: 'When',
  together: 'Together',
  others: { one: '{count} other', other: '{count} others' },

  copyText: 'Copy {text}',
  copy: 'Copy',
  copied: 'Copied.',
  copyingBlocked: 'Your browser blocked copying. Select the text and copy it instead.',

  goBack: 'Go back',
  name: 'Name',
  system: 'System',
  reason: 'Reason',
  auditKeepsIt: 'The audit keeps it, and the user can read it.',

  pageDidNotLoad: 'This page did not load',
  checkConnection: 'Check your connection, then reload. What you typed is kept.',
  reloadPage: 'Reload page',

  loading: 'Loading',
  signInAgain: 'Sign in again',
  signInRefused: 'The service no longer accepts your sign-in. What you typed is kept.',
  tryAgain: 'Try again',
  request: 'Request {id}',
  noResponse: 'The service does not respond',
  nothingIsLost: 'Nothing is lost, and your jobs continue. This page tries again by itself.',
  somethingWentWrong: 'Something went wrong',

  stageOnSystem: 'Stage on the system: {stage}',
} as const;

export const phrase = createPhrase('parts', parts);
