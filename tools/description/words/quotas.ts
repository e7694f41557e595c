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
      summary: 'Your quotas',
      description: 'The first such call gives a new user the default quotas.',
      example: quotas,
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
      example: ledgerLines,
    },
  },
  'read-all-quotas': {
    ofUser: { id: 'listQuotasOfUser', summary: 'The quotas of a user', example: quotas },
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
      example: ledgerLines,
    },
    everybody: { id: 'listAllQuotas', summary: "Everybody's quotas", example: quotas },
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
      requestExample: grant,
      example: quotaWithUsage,
    },
  },
  'grant-quotas': {
    grant: {
      id: 'grantQuotas',
      summary: 'Grant or correct many quotas at once',
      description: 'Rows as JSON lines or CSV; each is done by itself, and answered by itself.',
      problems: ['body-too-large', 'unsupported-body', 'idempotency-key-reused'],
      requestExample: grantRow,
      requestTable: grantTable,
      example: grantedRows,
    },
  },
  'read-usage': {
    report: {
      id: 'readUsage',
      summary: 'What your ended jobs used, by project, system, day or month',
      description: 'With `Accept: text/csv` as a table.',
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
