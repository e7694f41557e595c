import type { WordsOf } from './operation-words.ts';
import { reportWords } from './parameters.ts';

const quota = {
  id: 1,
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  space_left: 10_000_000.0,
  time_left: 18_000_000,
  user: '306328',
};

const line = {
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
};

export const quotaWords = {
  'read-quotas': {
    list: {
      id: 'listQuotas',
      summary: 'Your quotas',
      description: 'The first such call gives a new user the default quotas.',
      example: [quota],
    },
    one: {
      id: 'getQuota',
      summary: 'One of your quotas',
      problems: ['quota-not-found'],
      example: quota,
    },
    ledger: {
      id: 'readLedger',
      summary: 'Every change of a quota of yours, the newest first',
      problems: ['quota-not-found'],
      example: [line],
    },
  },
  'read-all-quotas': {
    ofUser: { id: 'listQuotasOfUser', summary: 'The quotas of a user', example: [quota] },
    one: {
      id: 'getQuotaOfUser',
      summary: 'A quota of a user',
      problems: ['quota-not-found'],
      example: quota,
    },
    ledger: {
      id: 'readLedgerOfUser',
      summary: 'Every change of a quota of a user, the newest first',
      problems: ['quota-not-found'],
      example: [line],
    },
    everybody: { id: 'listAllQuotas', summary: "Everybody's quotas", example: [quota] },
  },
  'grant-quota': {
    grant: {
      id: 'grantQuota',
      summary: 'Grant, correct or prolong a quota',
      problems: [
        'quota-in-use',
        'grant-too-large',
        'quota-not-found',
        'user-not-found',
        'body-too-large',
        'unsupported-body',
      ],
      requestExample: {
        reason: 'a course in spring',
        add: { time: 36_000, space: 1000 },
        valid_until: '2027-07-01T00:00:00Z',
      },
    },
  },
  'grant-quotas': {
    grant: {
      id: 'grantQuotas',
      summary: 'Grant or correct many quotas at once',
      description: 'Rows as JSON lines or CSV; each is done by itself, and answered by itself.',
      problems: ['body-too-large', 'unsupported-body', 'idempotency-key-reused'],
    },
  },
  'read-usage': {
    report: {
      id: 'readUsage',
      summary: 'What your ended jobs used, by project, system, day or month',
      description: 'With `Accept: text/csv` as a table.',
      query: reportWords,
    },
  },
  'remove-quota': {
    remove: {
      id: 'removeQuota',
      summary: 'Remove a quota',
      problems: [
        'quota-not-found',
        'quota-in-use',
        'storage-unavailable',
        'body-too-large',
        'unsupported-body',
      ],
    },
  },
} as const satisfies WordsOf<
  'read-quotas' | 'read-all-quotas' | 'grant-quota' | 'grant-quotas' | 'read-usage' | 'remove-quota'
>;
