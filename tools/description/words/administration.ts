import { keptParts } from '#lib/people/person-parts.ts';
import { canceledJob, endedJob, job, timeline } from './jobs.ts';
import { operation, type RouteWords, reportWords } from './parameters.ts';
import { quotaWithUsage, report, reportTable } from './quotas.ts';
import { announcedWindow, ledProject, pauseWindow, systemReports } from './service.ts';

const user = {
  user: '306328',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  first_seen: '2026-11-15T08:30:00Z',
  banned: null,
  bans: [],
};

const bannedUser = { ...user, banned: 'asked to stop' };

const account = { user: '306328', hpc: 'hpc_one', account: 'ada' };

const person = {
  user,
  accounts: [account],
  claimed_accounts: [],
  leads: [{ project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' }],
  quotas: [quotaWithUsage],
  requests: [],
  notifications: {
    email: 'ada@example.org',
    unconfirmed_email: null,
    events: ['job.ended'],
    digest: 'daily',
  },
  webhooks: [],
  lists: {
    jobs: '/admin/jobs/?user=306328',
    ledgers: ['/admin/quotas/306328/hpc_one/proj_hpc_one_01/ledger/'],
    usage: '/admin/reports/usage/?user=306328',
    audit: '/admin/audit/?user=306328',
    acts: '/admin/audit/?by=306328',
  },
};

const erasure = {
  user: '306328',
  erased: '2026-11-15T08:30:00Z',
  names_return: '2026-12-15T08:30:00Z',
  removed: ['name', 'email', 'mail', 'accounts'],
  stays: keptParts,
};

const accountRow = { user_id: '306328', hpc: 'hpc_one', account: 'ada' };

const accountTable = 'user_id,hpc,account\n306328,hpc_one,ada\n';

const accountRows = [
  { line: 1, outcome: 'created', ...account },
  {
    line: 2,
    outcome: 'refused',
    problem: {
      type: 'urn:slipway:problem:invalid-request',
      title: 'The request is not valid',
      detail: "account: Jobs must not run as root. Name the user's own account.",
      errors: [
        {
          location: 'body',
          name: 'account',
          message: "Jobs must not run as root. Name the user's own account.",
        },
      ],
    },
  },
];

const acts = [
  {
    act_id: '5c6a0f52-0f3a-4b8e-9a55-7d1f2c3e4b5a',
    kind: 'quota-granted',
    at: '2026-11-15T08:30:00Z',
    by: '100001',
    reason: 'a course in spring',
    user: '306328',
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    job_id: null,
    details: {
      time: { before: 18_000_000, after: 18_036_000 },
      space: { before: 10_000_000, after: 10_001_000 },
      valid_until: { before: null, after: '2027-07-01T00:00:00.000Z' },
    },
  },
];

const openedProject = {
  id: 1_000_000,
  project_hpc: 'HPC_ONE',
  project_name: 'course_2027',
  default: false,
  max_living_jobs: 20,
  description: 'Neurons, for beginners',
  closed: false,
};

export const administrationWords = {
  'read-users': {
    list: operation('listUsers', 'List all users', {
      description:
        'With `expand=activity` the answer also says when users last submitted, and what they used.',
      example: [
        {
          ...user,
          activity: { last_submission: '2026-11-15T08:30:00Z', time_used: 7200, jobs_ended: 3 },
        },
      ],
    }),
    one: operation('getUser', 'Get one user', { problems: ['user-not-found'], example: user }),
    accounts: operation('listAccounts', "List a user's accounts on the HPC systems", {
      example: [account],
    }),
    account: operation('getAccount', "Get a user's account on an HPC system", {
      problems: ['account-not-found'],
      example: account,
    }),
    export: operation('exportUser', 'Get everything that is kept about a person', {
      description:
        'Jobs, ledgers, sums and the audit are lists, which are named by their addresses.',
      problems: ['user-not-found'],
      example: person,
    }),
  },
  'change-user': {
    ban: operation('banUser', 'Ban a user from submitting, anywhere or to one project', {
      problems: ['quota-not-found', 'user-not-found'],
      requestExample: { reason: 'asked to stop' },
      example: bannedUser,
    }),
    map: operation('mapAccount', "Set the account under which a user's jobs run on an HPC system", {
      problems: ['accounts-not-used'],
      requestExample: { account: 'ada', reason: 'her account there' },
      example: account,
    }),
  },
  'clear-user': {
    unban: operation('unbanUser', 'Lift a ban', {
      problems: ['quota-not-found', 'user-not-found'],
      requestExample: { reason: 'it was a mistake' },
      example: user,
    }),
    unmap: operation('unmapAccount', "Remove a user's account on an HPC system", {
      problems: ['account-not-found'],
      requestExample: { reason: 'she has left' },
      example: account,
    }),
    erase: operation('eraseUser', 'Erase what is kept about a person', {
      description: 'What the number has done stays with it.',
      problems: ['user-not-found'],
      requestExample: { reason: 'she has left, and asks for it' },
      example: erasure,
    }),
  },
  'map-accounts': {
    map: operation('mapAccounts', 'Set many accounts at once', {
      requestExample: accountRow,
      requestTable: accountTable,
      example: accountRows,
    }),
  },
  'read-all-jobs': {
    list: operation('listAllJobs', "List everybody's jobs", { example: [job, endedJob] }),
    one: operation('getAnyJob', "Get anybody's job", {
      description: 'With `expand=request` the answer also says what the job asked for.',
      example: endedJob,
    }),
    timeline: operation('getAnyTimeline', "Get the timeline of anybody's job, and why it waits", {
      example: timeline,
    }),
  },
  'delete-any-job': {
    delete: operation('deleteAnyJob', "Cancel anybody's active job, or delete an ended one", {
      problems: ['storage-unavailable'],
      requestExample: { reason: 'asked by its owner' },
      example: canceledJob,
    }),
  },
  'read-audit': {
    list: operation('readAudit', "List administrators' acts, newest first", { example: acts }),
  },
  'read-systems': {
    list: operation(
      'reportSystems',
      'Get the state of the HPC systems: since when one fails, its breaker, its last error',
      {
        description: 'With `history` the answer also says how each system was on the last days.',
        example: systemReports,
      },
    ),
  },
  'change-maintenance': {
    announce: operation(
      'announceMaintenance',
      'Announce a maintenance of an HPC system, or change it',
      {
        description:
          'Submissions are accepted meanwhile and wait. The reason is shown to users. With `drain`, the default, jobs are held back before that would not be over in time.',
        requestExample: {
          from: '2099-12-01T08:00:00Z',
          until: '2099-12-01T16:00:00Z',
          reason: 'New firmware for the storage.',
        },
        example: announcedWindow,
      },
    ),
    withdraw: operation('withdrawMaintenance', 'Withdraw a maintenance, or end it early', {
      problems: ['maintenance-not-found'],
      requestExample: { reason: 'it is done' },
      example: announcedWindow,
    }),
    pause: operation('pauseSystem', 'Hand over no more jobs to an HPC system until it is resumed', {
      requestExample: { reason: 'The cooling has failed.' },
      example: pauseWindow,
    }),
    resume: operation('resumeSystem', 'Resume a paused HPC system', {
      problems: ['maintenance-not-found'],
      requestExample: { reason: 'the cooling works again' },
      example: pauseWindow,
    }),
  },
  'open-project': {
    open: operation('openProject', 'Open, change or reopen a project', {
      problems: ['project-in-catalog', 'project-not-found'],
      requestExample: {
        reason: 'a course in spring',
        description: 'Neurons, for beginners',
        max_living_jobs: 20,
      },
      example: openedProject,
    }),
    budget: operation('changeBudget', 'Give a project a budget, or change it', {
      problems: ['budget-not-found', 'quota-in-use', 'grant-too-large'],
      requestExample: {
        reason: 'the year 2027',
        set: { time: 36_000_000, space: 100_000_000 },
        valid_until: '2027-12-31',
      },
      example: ledProject,
    }),
    leaders: operation('setLeaders', 'Say who leads a project', {
      requestExample: { reason: 'the new professor', leaders: ['306328'] },
      example: ledProject,
    }),
  },
  'close-project': {
    close: operation('closeProject', 'Close a project, so that nobody can submit to it', {
      problems: ['project-in-catalog', 'project-not-found'],
      requestExample: { reason: 'the course is over' },
      example: { ...openedProject, closed: true },
    }),
  },
  'read-usage-report': {
    report: operation(
      'reportUsage',
      'Report what ended jobs used, by user, project, system, day or month',
      {
        description: 'With `Accept: text/csv` you get a table.',
        example: report,
        exampleTable: reportTable,
        query: reportWords,
      },
    ),
  },
} as const satisfies Partial<RouteWords>;
