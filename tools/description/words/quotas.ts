import { presentQuota, presentQuotaWithUsage } from '#lib/http/presenters/present-quota.ts';
import * as story from '../../story/things.ts';
import { operation, type RouteWords, reportWords } from './parameters.ts';

const quotas = [story.quota, story.toolQuota].map(presentQuota);

const [quota] = quotas;

export const quotaWithUsage = presentQuotaWithUsage({
  ...story.quota,
  time: { granted: 18_000_000, left: 17_997_120, held: 0, used: 2880 },
  space: { granted: 10_000_000, left: 9_999_999, held: 1, used: 0 },
  validUntil: new Date('2027-07-01T00:00:00Z'),
});

const ledgerLines = [
  {
    at: '2026-11-15T08:30:31.512Z',
    kind: 'settle',
    time: 720,
    space: 0.0,
    time_left: 17_997_120,
    space_left: 9_999_999.0,
    by: 'slipway',
    reason: 'SUCCESSFUL: 2880 of 3600 seconds used',
    job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
    act_id: null,
    settled: { outcome: 'succeeded', used: 2880, held: 3600 },
  },
  {
    at: '2026-11-15T08:30:00.789Z',
    kind: 'hold',
    time: -3600,
    space: -1.0,
    time_left: 17_996_400,
    space_left: 9_999_999.0,
    by: '306328',
    reason: 'job submitted',
    job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
    act_id: null,
  },
];

const grant = {
  reason: 'a course in spring',
  add: { time: 36_000, space: 1000 },
  valid_until: '2027-07-01T00:00:00Z',
};

const grantRow = {
  user_id: '306328',
  hpc: 'hpc_one',
  project_name: 'proj_hpc_one_01',
  add: { time: 36_000 },
  valid_until: '2027-07-01',
};

const grantTable =
  'user_id,hpc,project_name,add.time,valid_until,reason\n306328,hpc_one,proj_hpc_one_01,36000,2027-07-01,a course in spring\n';

const grantedRows = [
  {
    line: 1,
    outcome: 'granted',
    user: '306328',
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    change: {
      time: { before: 18_000_000, after: 18_036_000 },
      space: { before: 10_000_000, after: 10_000_000 },
      valid_until: { before: null, after: '2027-07-01T23:59:59.999Z' },
    },
  },
  { line: 2, outcome: 'not-done' },
];

export const report = [
  {
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    month: '2026-11',
    time_used: 2880,
    jobs_ended: 3,
    jobs_failed: 1,
    jobs_cancelled: 1,
    queue_time_median: 56,
    queue_time_p95: 141,
    run_time_median: 1413,
    run_time_p95: 1413,
    time_asked: 14_400,
  },
];

export const reportTable = report
  .flatMap((row) => [Object.keys(row), Object.values(row)])
  .map((cells) => `${cells.join(',')}\r\n`)
  .join('');

export const quotaWords = {
  'read-quotas': {
    list: operation('listQuotas', 'List your quotas', {
      description: 'The first call of a new user creates the default quotas.',
      example: quotas,
    }),
    one: operation('getQuota', 'Get one of your quotas', {
      problems: ['quota-not-found'],
      example: quota,
    }),
    ledger: operation('readLedger', 'List every change of one of your quotas, newest first', {
      problems: ['quota-not-found'],
      example: ledgerLines,
    }),
  },
  'read-all-quotas': {
    ofUser: operation('listQuotasOfUser', "List a user's quotas", { example: quotas }),
    one: operation('getQuotaOfUser', "Get one of a user's quotas", {
      problems: ['quota-not-found'],
      example: quota,
    }),
    ledger: operation(
      'readLedgerOfUser',
      "List every change of one of a user's quotas, newest first",
      {
        problems: ['quota-not-found'],
        example: ledgerLines,
      },
    ),
    everybody: operation('listAllQuotas', "List everybody's quotas", { example: quotas }),
  },
  'grant-quota': {
    grant: operation('grantQuota', 'Grant, correct or extend a quota', {
      problems: [
        'quota-in-use',
        'grant-too-large',
        'quota-not-found',
        'user-not-found',
        'budget-not-found',
        'budget-too-small',
        'budget-ends',
        'not-from-budget',
      ],
      requestExample: grant,
      example: quotaWithUsage,
    }),
  },
  'grant-quotas': {
    grant: operation('grantQuotas', 'Grant or correct many quotas at once', {
      description:
        'Send rows as JSON lines or CSV. Each row is done on its own and has its own outcome.',
      problems: ['idempotency-key-reused'],
      requestExample: grantRow,
      requestTable: grantTable,
      example: grantedRows,
    }),
  },
  'read-usage': {
    report: operation(
      'readUsage',
      'Report what your ended jobs used, by project, system, day or month',
      {
        description: 'With `Accept: text/csv` you get a table.',
        example: report,
        exampleTable: reportTable,
        query: reportWords,
      },
    ),
  },
  'remove-quota': {
    remove: operation('removeQuota', 'Remove a quota', {
      problems: ['quota-not-found', 'quota-in-use', 'storage-unavailable', 'not-from-budget'],
      requestExample: { reason: 'the course is over' },
      example: quotaWithUsage,
    }),
  },
} as const satisfies Partial<RouteWords>;
