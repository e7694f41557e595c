import { existsSync, readdirSync } from 'node:fs';

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
  ['lib/requests', ['requests']],
  ['lib/projects', ['projects']],
  ['lib/events', []],
  ['lib/reports', ['count-ends', 'rebuild-reports']],
  ['lib/catalog', ['catalog-use']],
  ['lib/hpc', ['follow-jobs', 'hand-over', 'job-life', 'timeline']],
]);

/** Their tests are beside them, and read the sources. */
const withoutTests = new Set(['architecture', 'bench', 'documentation']);

/** Connectors talk to servers, and what they do is met by no test of another folder. */
const slowTests = new Map([['hpc', 'lib/hpc']]);

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
  return [...listUnitTests(folder), 'test/handlers/**/*.test.ts', ...integration];
}

function listUnitTests(folder: string): string[] {
  return readdirSync('test/unit', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !withoutTests.has(entry.name))
    .filter(({ name }) => (slowTests.get(name) ?? folder) === folder)
    .map(({ name }) => `test/unit/${name}/**/*.test.ts`);
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => `${path}/`.startsWith(`${place}/`));
}
