import {
  account,
  accountRow,
  accountRows,
  accountTable,
  acts,
  bannedUser,
  openedProject,
  user,
} from '../examples/administration.ts';
import { canceledJob, endedJob, job, timeline } from '../examples/jobs.ts';
import { report, reportTable } from '../examples/quotas.ts';
import { systemReports } from '../examples/service.ts';
import type { WordsOf } from './operation-words.ts';
import { reportWords } from './parameters.ts';

const bodyProblems = ['body-too-large', 'unsupported-body'];

export const administrationWords = {
  'read-users': {
    list: { id: 'listUsers', summary: 'List all users', example: [user] },
    one: { id: 'getUser', summary: 'Get one user', problems: ['user-not-found'], example: user },
    accounts: {
      id: 'listAccounts',
      summary: "List a user's accounts on the HPC systems",
      example: [account],
    },
    account: {
      id: 'getAccount',
      summary: "Get a user's account on an HPC system",
      problems: ['account-not-found'],
      example: account,
    },
  },
  'change-user': {
    ban: {
      id: 'banUser',
      summary: 'Ban a user from submitting, anywhere or to one project',
      problems: ['quota-not-found', 'user-not-found', ...bodyProblems],
      requestExample: { reason: 'asked to stop' },
      example: bannedUser,
    },
    map: {
      id: 'mapAccount',
      summary: "Set the account under which a user's jobs run on an HPC system",
      problems: ['accounts-not-used', ...bodyProblems],
      requestExample: { account: 'ada', reason: 'her account there' },
      example: account,
    },
  },
  'clear-user': {
    unban: {
      id: 'unbanUser',
      summary: 'Lift a ban',
      problems: ['user-not-found', ...bodyProblems],
      requestExample: { reason: 'it was a mistake' },
      example: user,
    },
    unmap: {
      id: 'unmapAccount',
      summary: "Remove a user's account on an HPC system",
      problems: ['account-not-found', ...bodyProblems],
      requestExample: { reason: 'she has left' },
      example: account,
    },
  },
  'map-accounts': {
    map: {
      id: 'mapAccounts',
      summary: 'Set many accounts at once',
      problems: bodyProblems,
      requestExample: accountRow,
      requestTable: accountTable,
      example: accountRows,
    },
  },
  'read-all-jobs': {
    list: { id: 'listAllJobs', summary: "List everybody's jobs", example: [job, endedJob] },
    one: {
      id: 'getAnyJob',
      summary: "Get anybody's job",
      problems: ['job-not-found'],
      example: endedJob,
    },
    timeline: {
      id: 'getAnyTimeline',
      summary: "Get the timeline of anybody's job, and why it waits",
      problems: ['job-not-found'],
      example: timeline,
    },
  },
  'delete-any-job': {
    delete: {
      id: 'deleteAnyJob',
      summary: "Cancel anybody's active job, or delete an ended one",
      problems: ['job-not-found', 'storage-unavailable', ...bodyProblems],
      requestExample: { reason: 'asked by its owner' },
      example: canceledJob,
    },
  },
  'read-audit': {
    list: { id: 'readAudit', summary: "List administrators' acts, newest first", example: acts },
  },
  'read-systems': {
    list: {
      id: 'reportSystems',
      summary:
        'Get the state of the HPC systems: since when one fails, its breaker, its last error',
      example: systemReports,
    },
  },
  'open-project': {
    open: {
      id: 'openProject',
      summary: 'Open, change or reopen a project',
      problems: ['project-in-catalog', 'project-not-found', ...bodyProblems],
      requestExample: {
        reason: 'a course in spring',
        description: 'Neurons, for beginners',
        max_living_jobs: 20,
      },
      example: openedProject,
    },
  },
  'close-project': {
    close: {
      id: 'closeProject',
      summary: 'Close a project, so that nobody can submit to it',
      problems: ['project-in-catalog', 'project-not-found', ...bodyProblems],
      requestExample: { reason: 'the course is over' },
      example: { ...openedProject, closed: true },
    },
  },
  'read-usage-report': {
    report: {
      id: 'reportUsage',
      summary: 'Report what ended jobs used, by user, project, system, day or month',
      description: 'With `Accept: text/csv` you get a table.',
      example: report,
      exampleTable: reportTable,
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
  | 'read-systems'
  | 'open-project'
  | 'close-project'
  | 'read-usage-report'
>;
