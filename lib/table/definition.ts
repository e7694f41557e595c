import type { JobIndex } from './keys.ts';

/**
 * The table's shape, once: infra builds it on AWS, the laptop edition and the tests on their
 * engines. Local indexes can never be added or changed after creation, so they carry whole items
 * (ALL): a field that a list shows tomorrow must be there today.
 */
export const tableDefinition = {
  partitionKey: 'PK',
  sortKey: 'SK',
  timeToLive: 'expires_at',
  localIndexes: ['jobs_by_id', 'jobs_by_system', 'jobs_by_project'] satisfies JobIndex[],
  globalIndexes: [
    { name: 'due', partitionKey: 'due', sortKey: 'due_at', projection: 'KEYS_ONLY' },
    {
      name: 'project_jobs',
      partitionKey: 'project_jobs',
      sortKey: 'jobs_by_id',
      projection: 'ALL',
    },
    {
      name: 'registry',
      partitionKey: 'registry',
      sortKey: 'registry_key',
      projection: 'KEYS_ONLY',
    },
  ],
} as const;
