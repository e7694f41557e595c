import { findTranslation } from './language.ts';

/** The words of the interface for states and kinds, as people read them. */
export const terms = {
  // Stages of jobs
  waiting: 'waiting',
  starting: 'starting',
  running: 'running',
  finishing: 'finishing',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  deleted: 'deleted',
  unknown: 'unknown',
  // Jobs that others wait for
  active: 'active',
  succeeded: 'succeeded',
  // Systems and projects
  up: 'up',
  down: 'down',
  default: 'default',
  open: 'open',
  closed: 'closed',
  shared: 'shared',
  // Requests
  approved: 'approved',
  declined: 'declined',
  withdrawn: 'withdrawn',
  // Rows of a table of grants
  granted: 'granted',
  corrected: 'corrected',
  unchanged: 'unchanged',
  refused: 'refused',
  'not-done': 'not-done',
  created: 'created',
  changed: 'changed',
  // Lines of the ledger
  grant: 'grant',
  hold: 'hold',
  settle: 'settle',
  refund: 'refund',
  correction: 'correction',
  expiry: 'expiry',
  share: 'share',
  // Periods
  monthly: 'monthly',
  quarterly: 'quarterly',
  yearly: 'yearly',
  // Deliveries
  delivered: 'delivered',
  'given-up': 'given-up',
  // Acts of administrators
  'quota-granted': 'quota granted',
  'quota-removed': 'quota removed',
  'quota-corrected': 'quota corrected',
  'user-banned': 'user banned',
  'user-unbanned': 'user unbanned',
  'job-cancelled': 'job cancelled',
  'job-deleted': 'job deleted',
  'account-mapped': 'account mapped',
  'account-unmapped': 'account unmapped',
  'user-erased': 'person erased',
  'request-declined': 'request declined',
  'project-opened': 'project opened',
  'project-changed': 'project changed',
  'project-closed': 'project closed',
  'budget-changed': 'budget changed',
  'leaders-changed': 'leaders changed',
  'folder-emptied': 'folder emptied',
  'maintenance-announced': 'maintenance announced',
  'maintenance-changed': 'maintenance changed',
  'maintenance-withdrawn': 'maintenance withdrawn',
  // What changed in a project or a window
  yes: 'yes',
  no: 'no',
  // Checks of the doctor
  ok: 'ok',
  warning: 'warning',
  address: 'address',
  version: 'version',
  clock: 'clock',
  systems: 'systems',
  'sign-in': 'sign-in',
  limits: 'limits',
} as const;

/** Writes a word of the interface for people. Words that are newer than this code stay as they are. */
export function term(word: string): string {
  const known: Readonly<Record<string, string | undefined>> = terms;
  const found = findTranslation('terms', word) ?? known[word];
  return typeof found === 'string' ? found : word;
}
