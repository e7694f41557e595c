/** What is mutated, and the integration tests that know it, besides all unit and handler tests. */
export const folders = new Map<string, readonly string[]>([
  ['lib/users', ['bans']],
  ['lib/bans', ['bans']],
  ['lib/audit', ['administer-quotas', 'read-audit']],
  ['lib/accounts', ['accounts', 'reconcile']],
  ['lib/table', ['administer-quotas', 'expire-quotas', 'job-life', 'webhooks']],
  ['lib/webhooks', ['webhooks']],
  ['lib/files', ['files-store', 'files-uploads', 'job-files']],
  ['lib/jobs', ['all-jobs', 'bans', 'estimate', 'job-life', 'job-life-killed', 'known-defects']],
  [
    'lib/quotas',
    [
      'administer-quotas',
      'bans',
      'estimate',
      'expire-quotas',
      'ledger',
      'list-quotas',
      'quota-conditions',
    ],
  ],
  ['lib/http', []],
]);
