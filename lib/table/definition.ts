import type { JobIndex } from './keys.ts';

/**
 * Defines the shape of the table once. The infrastructure builds it on AWS, the laptop edition and
 * the tests build it on their engines. Local indexes cannot be added or changed after the table is
 * created. So they project whole items (ALL), because lists may show more fields later.
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
