import { isBareRoute, type RouteTable } from '#lib/http/routes/route.ts';
import { endpoints } from './endpoints.ts';

/** Every endpoint with what it runs on: infra, the local gateway, `$default` and the tests read it. */
export const routes = {
  'read-jobs': {
    ...endpoints['read-jobs'],
    file: 'jobs/read-jobs',
    table: { actions: ['BatchGetItem', 'GetItem', 'Query'], partitions: ['users', 'systems'] },
    pages: true,
  },
  'submit-job': {
    ...endpoints['submit-job'],
    file: 'jobs/submit-job',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers', 'counters'],
    },
    files: { inputs: ['DeleteObject', 'GetObject', 'PutObject'] },
  },
  'create-upload': {
    ...endpoints['create-upload'],
    file: 'uploads/create-upload',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers', 'counters'],
    },
    // The address that it signs is good for what its own role may do.
    files: { inputs: ['PutObject'] },
  },
  'delete-job': {
    ...endpoints['delete-job'],
    file: 'jobs/delete-job',
    table: {
      actions: ['GetItem', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers'],
    },
    files: { inputs: ['DeleteObject'], results: ['DeleteObject'] },
  },
  'read-files': {
    ...endpoints['read-files'],
    file: 'files/read-files',
    table: {
      actions: ['BatchGetItem', 'GetItem'],
      partitions: ['users', 'simulators', 'systems'],
    },
    files: { results: ['GetObject', 'PutObject'] },
    secrets: true,
  },
  'read-quotas': {
    ...endpoints['read-quotas'],
    file: 'quotas/read-quotas',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'ledgers', 'counters'],
    },
    pages: true,
  },
  'read-all-quotas': {
    ...endpoints['read-all-quotas'],
    file: 'admin/read-quotas',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      partitions: ['registry', 'users', 'ledgers'],
    },
    pages: true,
  },
  'grant-quota': {
    ...endpoints['grant-quota'],
    file: 'admin/grant-quota',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters'],
      appendsTo: ['ledgers', 'audit'],
    },
  },
  'remove-quota': {
    ...endpoints['remove-quota'],
    file: 'admin/remove-quota',
    table: {
      actions: ['DeleteItem', 'GetItem'],
      partitions: ['users'],
      appendsTo: ['ledgers', 'audit'],
    },
  },
  'read-audit': {
    ...endpoints['read-audit'],
    file: 'admin/read-audit',
    table: { actions: ['Query'], partitions: ['audit'] },
    pages: true,
  },
  'read-users': {
    ...endpoints['read-users'],
    file: 'admin/read-users',
    table: { actions: ['BatchGetItem', 'GetItem', 'Query'], partitions: ['registry', 'users'] },
    pages: true,
  },
  'ban-user': {
    ...endpoints['ban-user'],
    file: 'admin/ban-user',
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters'],
      appendsTo: ['ledgers', 'audit'],
    },
  },
  'unban-user': {
    ...endpoints['unban-user'],
    file: 'admin/unban-user',
    table: {
      actions: ['GetItem', 'Query', 'UpdateItem'],
      partitions: ['users'],
      appendsTo: ['audit'],
    },
  },
  'read-all-jobs': {
    ...endpoints['read-all-jobs'],
    file: 'admin/read-all-jobs',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      partitions: ['project_jobs', 'registry', 'users', 'systems'],
    },
    pages: true,
  },
  'cancel-job': {
    ...endpoints['cancel-job'],
    file: 'admin/cancel-job',
    table: {
      actions: ['GetItem', 'Query', 'UpdateItem'],
      partitions: ['registry', 'users'],
      appendsTo: ['ledgers', 'audit'],
    },
    files: { inputs: ['DeleteObject'], results: ['DeleteObject'] },
  },
  'read-webhooks': {
    ...endpoints['read-webhooks'],
    file: 'webhooks/read-webhooks',
    table: { actions: ['GetItem', 'Query'], partitions: ['users', 'webhooks'] },
  },
  'create-webhook': {
    ...endpoints['create-webhook'],
    file: 'webhooks/create-webhook',
    table: { actions: ['PutItem', 'UpdateItem'], partitions: ['users'] },
  },
  'delete-webhook': {
    ...endpoints['delete-webhook'],
    file: 'webhooks/delete-webhook',
    table: { actions: ['DeleteItem', 'GetItem', 'UpdateItem'], partitions: ['users'] },
  },
  'list-systems': {
    ...endpoints['list-systems'],
    file: 'catalog/list-systems',
  },
  'read-projects': {
    ...endpoints['read-projects'],
    file: 'catalog/read-projects',
  },
  'read-status': {
    ...endpoints['read-status'],
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
