import { createPhrase } from '#client/src/words/language.ts';
import { createRich } from '../language/rich.ts';

export const shell = {
  skipToContent: 'Skip to content',
  you: 'You',
  administrator: '{user}, administrator',
  themeSystem: 'Theme: system',
  themeLight: 'Theme: light',
  themeDark: 'Theme: dark',
  signOut: 'Sign out',

  pages: 'Pages',
  submit: 'Submit',
  admin: 'Admin',

  mayBeOutOfDate:
    'The address may be out of date, or the page may belong to somebody else. {home} or {jobs}.',
  goHome: 'Go home',
  seeYourJobs: 'see your jobs',

  keyboardShortcuts: 'Keyboard shortcuts',
  nextRow: 'next row',
  previousRow: 'previous row',
  openRow: 'open the row',
  selectRow: 'select the row; with Shift, select a range',
  undo: 'undo, while offered',
  search: 'search',
  findPersonOrJob: 'find a person, job or project',
  submitJob: 'submit a job',
  goToHome: 'go to Home',
  goToJobs: 'go to Jobs',
  goToQuotas: 'go to Quotas',
  showShortcuts: 'show these shortcuts',
  close: 'Close',

  cannotBeReached: {
    one: '{systems} cannot be reached.',
    other: '{systems} cannot be reached.',
  },
  noneAffected: 'None of your jobs are affected.',
  someAffected: {
    one: '{count} of your jobs is affected.',
    other: '{count} of your jobs are affected.',
  },
  handedOverLater: {
    one: 'Waiting jobs are handed over when the system is back. Running jobs continue, but their stage is not updated until then.',
    other:
      'Waiting jobs are handed over when the systems are back. Running jobs continue, but their stage is not updated until then.',
  },
  keepSubmitting: 'You can keep submitting. New jobs wait here, and nothing is lost.',
} as const;

export const phrase = createPhrase('shell', shell);
export const rich = createRich('shell', shell);
