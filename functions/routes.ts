import { isBareRoute, type RouteTable } from '#lib/http/routes/route.ts';

/** The one list of endpoints: infra, the local gateway, `$default` and the tests read it. */
export const routes = {
  'read-jobs': {
    method: 'GET',
    paths: {
      list: '/jobs/[{hpc}/[{project_name}/]]',
      one: '/jobs/{hpc}/{project_name}/{job_id}/',
      timeline: '/jobs/{hpc}/{project_name}/{job_id}/timeline/',
    },
    access: 'caller',
    file: 'jobs/read-jobs',
    table: { actions: ['BatchGetItem', 'GetItem', 'Query'], partitions: ['users', 'systems'] },
    pages: true,
  },
  'submit-job': {
    method: 'POST',
    paths: { submit: '/jobs/{hpc}/[{project_name}/]' },
    access: 'caller',
    file: 'jobs/submit-job',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers', 'counters'],
    },
    files: { inputs: ['DeleteObject', 'GetObject', 'PutObject'] },
  },
  'create-upload': {
    method: 'POST',
    paths: { create: '/uploads/' },
    access: 'caller',
    file: 'uploads/create-upload',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers', 'counters'],
    },
    // The address that it signs is good for what its own role may do.
    files: { inputs: ['PutObject'] },
  },
  'delete-job': {
    method: 'DELETE',
    paths: { delete: '/jobs/{hpc}/{project_name}/{job_id}/' },
    access: 'caller',
    file: 'jobs/delete-job',
    table: {
      actions: ['GetItem', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers'],
    },
    files: { inputs: ['DeleteObject'], results: ['DeleteObject'] },
  },
  'read-files': {
    method: 'GET',
    paths: {
      list: '/files/{hpc}/{project_name}/{job_id}/',
      one: '/files/{hpc}/{project_name}/{job_id}/{file_id}/',
    },
    access: 'caller',
    file: 'files/read-files',
    table: {
      actions: ['BatchGetItem', 'GetItem'],
      partitions: ['users', 'simulators', 'systems'],
    },
    files: { results: ['GetObject', 'PutObject'] },
    secrets: true,
  },
  'read-quotas': {
    method: 'GET',
    paths: {
      list: '/quotas/[{hpc}/]',
      one: '/quotas/{hpc}/{project_name}/',
      ledger: '/quotas/{hpc}/{project_name}/ledger/',
    },
    access: 'caller',
    file: 'quotas/read-quotas',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers', 'counters'],
    },
    pages: true,
  },
  'read-all-quotas': {
    method: 'GET',
    paths: {
      ofUser: '/admin/quotas/{user_id}/[{hpc}/]',
      one: '/admin/quotas/{user_id}/{hpc}/{project_name}/',
      ledger: '/admin/quotas/{user_id}/{hpc}/{project_name}/ledger/',
      everybody: '/admin/quotas/[{hpc}/[{project_name}/]]',
    },
    access: 'administrator',
    file: 'admin/read-quotas',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      partitions: ['registry', 'users', 'ledgers'],
    },
    pages: true,
  },
  'grant-quota': {
    method: 'PUT',
    paths: { grant: '/admin/quotas/{user_id}/{hpc}/{project_name}/' },
    access: 'administrator',
    file: 'admin/grant-quota',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters'],
      appendsTo: ['ledgers', 'audit'],
    },
  },
  'remove-quota': {
    method: 'DELETE',
    paths: { remove: '/admin/quotas/{user_id}/{hpc}/{project_name}/' },
    access: 'administrator',
    file: 'admin/remove-quota',
    table: {
      actions: ['DeleteItem', 'GetItem'],
      partitions: ['users'],
      appendsTo: ['ledgers', 'audit'],
    },
  },
  'read-audit': {
    method: 'GET',
    paths: { list: '/admin/audit/' },
    access: 'administrator',
    file: 'admin/read-audit',
    table: { actions: ['Query'], partitions: ['audit'] },
    pages: true,
  },
  'read-users': {
    method: 'GET',
    paths: {
      list: '/admin/users/',
      one: '/admin/users/{user_id}/',
    },
    access: 'administrator',
    file: 'admin/read-users',
    table: { actions: ['BatchGetItem', 'GetItem', 'Query'], partitions: ['registry', 'users'] },
    pages: true,
  },
  'ban-user': {
    method: 'PUT',
    paths: { ban: '/admin/users/{user_id}/ban/[{hpc}/{project_name}/]' },
    access: 'administrator',
    file: 'admin/ban-user',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters'],
      appendsTo: ['ledgers', 'audit'],
    },
  },
  'unban-user': {
    method: 'DELETE',
    paths: { unban: '/admin/users/{user_id}/ban/[{hpc}/{project_name}/]' },
    access: 'administrator',
    file: 'admin/unban-user',
    table: {
      actions: ['GetItem', 'Query', 'UpdateItem'],
      partitions: ['users'],
      appendsTo: ['audit'],
    },
  },
  'read-all-jobs': {
    method: 'GET',
    paths: {
      list: '/admin/jobs/[{hpc}/[{project_name}/]]',
      one: '/admin/jobs/{hpc}/{project_name}/{job_id}/',
      timeline: '/admin/jobs/{hpc}/{project_name}/{job_id}/timeline/',
    },
    access: 'administrator',
    file: 'admin/read-all-jobs',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      partitions: ['project_jobs', 'registry', 'users', 'systems'],
    },
    pages: true,
  },
  'cancel-job': {
    method: 'DELETE',
    paths: { cancel: '/admin/jobs/{hpc}/{project_name}/{job_id}/' },
    access: 'administrator',
    file: 'admin/cancel-job',
    table: {
      actions: ['GetItem', 'Query', 'UpdateItem'],
      partitions: ['registry', 'users'],
      appendsTo: ['ledgers', 'audit'],
    },
    files: { inputs: ['DeleteObject'], results: ['DeleteObject'] },
  },
  'read-webhooks': {
    method: 'GET',
    paths: {
      list: '/webhooks/',
      one: '/webhooks/{webhook_id}/',
      deliveries: '/webhooks/{webhook_id}/deliveries/',
    },
    access: 'caller',
    file: 'webhooks/read-webhooks',
    table: { actions: ['GetItem', 'Query'], partitions: ['users', 'webhooks'] },
  },
  'create-webhook': {
    method: 'POST',
    paths: { create: '/webhooks/' },
    access: 'caller',
    file: 'webhooks/create-webhook',
    table: { actions: ['PutItem', 'UpdateItem'], partitions: ['users'] },
  },
  'delete-webhook': {
    method: 'DELETE',
    paths: { delete: '/webhooks/{webhook_id}/' },
    access: 'caller',
    file: 'webhooks/delete-webhook',
    table: { actions: ['DeleteItem', 'GetItem', 'UpdateItem'], partitions: ['users'] },
  },
  'list-systems': {
    method: 'GET',
    paths: { list: '/hpc/' },
    access: 'caller',
    file: 'catalog/list-systems',
  },
  'read-projects': {
    method: 'GET',
    paths: {
      list: '/projects/[{hpc}/]',
      one: '/projects/{hpc}/{project_name}/',
    },
    access: 'caller',
    file: 'catalog/read-projects',
  },
  'read-status': {
    method: 'GET',
    paths: { read: '/status/' },
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

/** Only routes whose fixed beginning is a path by itself can fall to `$default`. */
export const bareRouteNames = routeNames.filter((name) => isBareRoute(routes[name]));
