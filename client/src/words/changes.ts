import { createPhrase } from './language.ts';

/** What changes of quotas and budgets are, and why some are refused. Only who shares out reads them. */
export const changes = {
  'change.space': 'space',
  'change.noEnd': 'no end',
  'change.none': 'none',
  'change.leaders': 'leaders',
  'change.description': 'description',
  'change.activeJobs': 'active jobs at most',
  'change.state': 'state',
  'change.shared': 'one quota for all',
  'change.group': 'group',
  'change.from': 'from',
  'change.until': 'until',
  'change.drain': 'hold jobs back',
  'change.files': 'files',
  'change.noRenewal': 'no renewal',
  'change.renews': '{every} on day {day} to {amount}, carrying over up to {kept}',
  'change.renewsFromMonth':
    '{every} from month {month} on day {day} to {amount}, carrying over up to {kept}',
  'change.timeAndSpace': '{time} and {space}',
  'change.allSpace': 'all space',
  'problem.budgetTooSmall': 'The budget of {place} is too small: {shortages}.',
  'problem.notFromBudget':
    'An administrator granted a part of this quota, and only administrators can lower, end or remove that part. Ask one of them.',
  'problem.belowUse':
    'The account of {place} cannot be set below {time} and {space} of space: that much is used, reserved or shared out. Set that or more, delete ended jobs, or take shares back first.',
  'problem.belowZero':
    'The account of {place} has only {time} and {space} of space. Take that or less.',
  'problem.hasLess': '{user} has only {time} and {space} of space here. Take that or less.',
  'problem.inUse':
    'The quota of {place} is in use by {active} active and {ended} ended jobs, which reserve {time} and {space} of space. {advice}',
  'problem.someDiscarded':
    '{discarded} were cancelled or deleted this time. Try again for the rest.',
  'problem.noJobExplains': 'No job explains this. Ask the operator to reconcile the account.',
  'problem.discardJobs': 'Cancel the active jobs and delete the ended ones first.',
} as const;

export const phrase = createPhrase('changes', changes);
