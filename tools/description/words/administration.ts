import type { WordsOf } from './operation-words.ts';
import { reportWords } from './parameters.ts';

const user = { user: '306328', first_seen: '2026-11-15T08:30:00Z', banned: null, bans: [] };

const bodyProblems = ['body-too-large', 'unsupported-body'];

export const administrationWords = {
  'read-users': {
    list: { id: 'listUsers', summary: 'All users' },
    one: { id: 'getUser', summary: 'One user', problems: ['user-not-found'] },
    accounts: { id: 'listAccounts', summary: 'The accounts of a user on the HPC systems' },
    account: {
      id: 'getAccount',
      summary: 'The account of a user on an HPC system',
      problems: ['account-not-found'],
    },
  },
  'change-user': {
    ban: {
      id: 'banUser',
      summary: 'Ban a user from submitting, anywhere or to one project',
      problems: ['quota-not-found', 'user-not-found', ...bodyProblems],
      requestExample: { reason: 'asked to stop' },
      example: { ...user, banned: 'asked to stop' },
    },
    map: {
      id: 'mapAccount',
      summary: 'Enter as whom the jobs of a user run on an HPC system',
      problems: ['accounts-not-used', ...bodyProblems],
      requestExample: { account: 'alice', reason: 'her account there' },
    },
  },
  'clear-user': {
    unban: {
      id: 'unbanUser',
      summary: 'Lift a ban',
      problems: ['user-not-found', ...bodyProblems],
    },
    unmap: {
      id: 'unmapAccount',
      summary: 'Take back as whom the jobs of a user run on an HPC system',
      problems: ['account-not-found', ...bodyProblems],
    },
  },
  'map-accounts': {
    map: {
      id: 'mapAccounts',
      summary: 'Enter many accounts at once',
      problems: bodyProblems,
    },
  },
  'read-all-jobs': {
    list: { id: 'listAllJobs', summary: "Everybody's jobs" },
    one: { id: 'getAnyJob', summary: 'A job of anybody', problems: ['job-not-found'] },
    timeline: {
      id: 'getAnyTimeline',
      summary: "What has become of anybody's job, and why it waits",
      problems: ['job-not-found'],
    },
  },
  'delete-any-job': {
    delete: {
      id: 'deleteAnyJob',
      summary: "Cancel anybody's living job, or delete an ended one",
      problems: ['job-not-found', 'storage-unavailable', ...bodyProblems],
    },
  },
  'read-audit': {
    list: { id: 'readAudit', summary: 'What administrators did, the newest first' },
  },
  'open-project': {
    open: {
      id: 'openProject',
      summary: 'Open, change or reopen a project',
      problems: ['project-in-catalog', 'project-not-found', ...bodyProblems],
      requestExample: { description: 'a course in spring', reason: 'asked by the faculty' },
    },
  },
  'close-project': {
    close: {
      id: 'closeProject',
      summary: 'Close a project: nothing more can be submitted to it',
      problems: ['project-in-catalog', 'project-not-found', ...bodyProblems],
    },
  },
  'read-usage-report': {
    report: {
      id: 'reportUsage',
      summary: 'What ended jobs used, by user, project, system, day or month',
      description: 'With `Accept: text/csv` as a table.',
      query: reportWords,
    },
  },
} as const satisfies WordsOf<
  | 'read-users'
  | 'change-user'
  | 'clear-user'
  | 'map-accounts'
  | 'read-all-jobs'
  | 'delete-any-job'
  | 'read-audit'
  | 'open-project'
  | 'close-project'
  | 'read-usage-report'
>;
