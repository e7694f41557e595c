import { existsSync } from 'node:fs';

/** What is mutated, and the integration tests that know it, besides all unit and handler tests. */
export const folders = new Map<string, readonly string[]>([
  ['lib/users', ['bans', 'welcome']],
  ['lib/bans', ['bans']],
  ['lib/audit', ['administer-quotas', 'read-audit']],
  ['lib/accounts', ['accounts', 'reconcile']],
  ['lib/table', ['administer-quotas', 'attend-quotas', 'job-life', 'webhooks']],
  ['lib/webhooks', ['webhooks']],
  ['lib/files', ['files-store']],
  [
    'lib/jobs',
    [
      'all-jobs',
      'bans',
      'delete-job',
      'estimate',
      'follow-jobs',
      'hand-over',
      'job-life',
      'job-life-killed',
      'job-lists',
      'known-defects',
      'many-hand-overs',
      'read-holds',
      'submit-job',
      'sweep-races',
      'timeline',
    ],
  ],
  [
    'lib/quotas',
    [
      'administer-quotas',
      'attend-quotas',
      'bans',
      'estimate',
      'ledger',
      'list-quotas',
      'quota-conditions',
      'welcome',
    ],
  ],
  ['lib/http', []],
]);

/** Within a folder, and no part of the service: only tests and the API description read it. */
export const neverMutated: readonly string[] = ['lib/http/answers'];

/** The tests that may notice a mistake in a folder, or in a folder or a file within it. */
export function findTests(path: string): string[] {
  const folder = [...folders.keys()].find((each) => isWithin(path, [each]));
  if (folder === undefined || !existsSync(path) || isWithin(path, neverMutated)) {
    throw new Error(`${path} is not a folder or file that can be mutated.`);
  }
  const integration = (folders.get(folder) ?? []).map((name) => `test/integration/${name}.test.ts`);
  const missing = integration.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`There are no such tests: ${missing.join(', ')}`);
  return ['test/unit/**/*.test.ts', 'test/handlers/**/*.test.ts', ...integration];
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => `${path}/`.startsWith(`${place}/`));
}
