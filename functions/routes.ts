import type { RouteTable } from '../lib/http/route.ts';

/** The one list of endpoints: infra, the local gateway, `$default` and the tests read it. */
export const routes = {
  'read-jobs': {
    method: 'GET',
    path: '/jobs/[{hpc}/[{project_name}/[{job_id}/]]]',
    access: 'caller',
    file: 'jobs/read-jobs',
    table: { actions: ['GetItem', 'Query'], partitions: ['users'] },
    pages: true,
  },
  'submit-job': {
    method: 'POST',
    path: '/jobs/{hpc}/[{project_name}/]',
    access: 'caller',
    file: 'jobs/submit-job',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers', 'counters'],
    },
  },
  'delete-job': {
    method: 'DELETE',
    path: '/jobs/{hpc}/{project_name}/{job_id}/',
    access: 'caller',
    file: 'jobs/delete-job',
    table: {
      actions: ['GetItem', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers'],
    },
  },
  'read-quotas': {
    method: 'GET',
    path: '/quotas/[{hpc}/[{project_name}/]]',
    access: 'caller',
    file: 'quotas/read-quotas',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers', 'counters'],
    },
  },
  'read-user-quotas': {
    method: 'GET',
    path: '/admin/quotas/{user_id}/[{hpc}/[{project_name}/]]',
    access: 'administrator',
    file: 'admin/read-user-quotas',
    table: { actions: ['GetItem', 'Query'], partitions: ['users'] },
  },
  'list-systems': {
    method: 'GET',
    path: '/hpc/',
    access: 'caller',
    file: 'catalog/list-systems',
  },
  'read-projects': {
    method: 'GET',
    path: '/projects/[{hpc}/[{project_name}/]]',
    access: 'caller',
    file: 'catalog/read-projects',
  },
  'read-status': {
    method: 'GET',
    path: '/status/',
    access: 'public',
    file: 'status/read-status',
    table: { actions: ['BatchGetItem'], partitions: ['systems'] },
  },
} as const satisfies RouteTable;

export type RouteName = keyof typeof routes;

export const routeNames = Object.keys(routes).filter(isRouteName);

function isRouteName(name: string): name is RouteName {
  return name in routes;
}
