import {
  grant,
  grantedRows,
  grantRow,
  grantTable,
  ledgerLines,
  quota,
  quotas,
  quotaWithUsage,
  report,
  reportTable,
} from '../examples/quotas.ts';
import type { WordsOf } from './operation-words.ts';
import { reportWords } from './parameters.ts';

export const quotaWords = {
  'read-quotas': {
    list: {
      id: 'listQuotas',
      summary: 'List your quotas',
      description: 'The first call of a new user creates the default quotas.',
      example: quotas,
    },
    one: {
      id: 'getQuota',
      summary: 'Get one of your quotas',
      problems: ['quota-not-found'],
      example: quota,
    },
    ledger: {
      id: 'readLedger',
      summary: 'List every change of one of your quotas, newest first',
      problems: ['quota-not-found'],
      example: ledgerLines,
    },
  },
  'read-all-quotas': {
    ofUser: { id: 'listQuotasOfUser', summary: "List a user's quotas", example: quotas },
    one: {
      id: 'getQuotaOfUser',
      summary: "Get one of a user's quotas",
      problems: ['quota-not-found'],
      example: quota,
    },
    ledger: {
      id: 'readLedgerOfUser',
      summary: "List every change of one of a user's quotas, newest first",
      problems: ['quota-not-found'],
      example: ledgerLines,
    },
    everybody: { id: 'listAllQuotas', summary: "List everybody's quotas", example: quotas },
  },
  'grant-quota': {
    grant: {
      id: 'grantQuota',
      summary: 'Grant, correct or extend a quota',
      problems: [
        'quota-in-use',
        'grant-too-large',
        'quota-not-found',
        'user-not-found',
        'body-too-large',
        'unsupported-body',
      ],
      requestExample: grant,
      example: quotaWithUsage,
    },
  },
  'grant-quotas': {
    grant: {
      id: 'grantQuotas',
      summary: 'Grant or correct many quotas at once',
      description:
        'Send rows as JSON lines or CSV. Each row is done on its own and has its own outcome.',
      problems: ['body-too-large', 'unsupported-body', 'idempotency-key-reused'],
      requestExample: grantRow,
      requestTable: grantTable,
      example: grantedRows,
    },
  },
  'read-usage': {
    report: {
      id: 'readUsage',
      summary: 'Report what your ended jobs used, by project, system, day or month',
      description: 'With `Accept: text/csv` you get a table.',
      example: report,
      exampleTable: reportTable,
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
      requestExample: { reason: 'the course is over' },
      example: quotaWithUsage,
    },
  },
} as const satisfies WordsOf<
  'read-quotas' | 'read-all-quotas' | 'grant-quota' | 'grant-quotas' | 'read-usage' | 'remove-quota'
>;
