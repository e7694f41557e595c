import * as v from 'valibot';
import { Account, AccountRow, Act, User } from '#lib/http/answers/administration.ts';
import { created, ok, seeOther, temporaryRedirect } from '#lib/http/answers/answer.ts';
import { Batch, BatchEstimate } from '#lib/http/answers/batch.ts';
import {
  LedProject,
  MaintenanceWindow,
  Project,
  ProtectedResource,
  Status,
  System,
  SystemReport,
} from '#lib/http/answers/catalog.ts';
import {
  Estimate,
  Followed,
  Job,
  JobFile,
  JobResult,
  JobWithRequest,
  ProjectFolder,
  Timeline,
  Upload,
  UploadProgress,
} from '#lib/http/answers/job.ts';
import { Erasure, Person } from '#lib/http/answers/person.ts';
import {
  GrantedRow,
  JudgedRequest,
  Ledger,
  Quota,
  QuotaRequest,
  QuotaWithUsage,
  ReportRow,
  Statement,
} from '#lib/http/answers/quota.ts';
import { Delivery, Notifications, Webhook, WebhookWithSecret } from '#lib/http/answers/webhook.ts';
import { isBareRoute } from '#lib/http/routes/gateway-keys.ts';
import type { EndpointTable, Route, RunsOf } from '#lib/http/routes/route.ts';
import { endpoints } from './endpoints.ts';

/**
 * The file, responses and permissions of each endpoint. The compiler reports endpoints and
 * operations that are missing here.
 */
const runs = {
  'read-jobs': {
    file: 'jobs/read-jobs',
    answers: { list: [ok(v.array(Job))], one: [ok(JobWithRequest)], timeline: [ok(Timeline)] },
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      // A job requested by its id alone may be in any project.
      partitions: ['users', 'systems', 'projects'],
    },
    pages: true,
  },
  'submit-job': {
    file: 'jobs/submit-job',
    answers: { submit: [created(Job), ok(Estimate)] },
    table: {
      actions: ['BatchGetItem', 'DeleteItem', 'GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters', 'spending', 'budgets', 'logins'],
      appendsTo: ['ledgers'],
      // Checks whether the caller already got a welcome quota, if the profile does not say so, and
      // finds the jobs that a new one waits for, which may be in any project.
      queries: ['ledgers', 'projects'],
      // A dry run says which maintenance the job would wait for.
      looksUp: ['projects', 'systems'],
    },
    files: { inputs: ['DeleteObject', 'GetObject', 'PutObject'] },
    keepsBudget: true,
  },
  'submit-batch': {
    file: 'batches/submit-batch',
    answers: { submit: [created(Batch), ok(BatchEstimate)], again: [created(Batch)] },
    table: {
      actions: ['DeleteItem', 'GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters', 'spending', 'budgets', 'logins'],
      appendsTo: ['ledgers'],
      // Checks whether the caller already got a welcome quota, if the profile does not say so.
      queries: ['ledgers'],
      // A dry run says which maintenance the jobs would wait for.
      looksUp: ['projects', 'systems'],
    },
    files: { inputs: ['DeleteObject', 'GetObject', 'PutObject'] },
    keepsBudget: true,
  },
  'read-batches': {
    file: 'batches/read-batches',
    answers: { list: [ok(v.array(Batch))], one: [ok(Batch)] },
    table: { actions: ['GetItem', 'Query'], partitions: ['users'], looksUp: ['projects'] },
    pages: true,
  },
  'delete-batch': {
    file: 'batches/delete-batch',
    answers: { delete: [ok(Batch)] },
    table: {
      actions: ['GetItem', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'spending', 'budgets'],
      appendsTo: ['ledgers'],
      looksUp: ['projects'],
    },
  },
  'create-upload': {
    file: 'uploads/create-upload',
    answers: { create: [created(Upload)], continue: [ok(UploadProgress)] },
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters'],
      appendsTo: ['ledgers'],
      // Checks whether the caller already got a welcome quota, if the profile does not say so, and
      // finds the shared projects of a caller whose own quotas are too small.
      queries: ['ledgers', 'projects'],
      looksUp: ['budgets'],
    },
    // A signed URL grants only what this role may do.
    files: { inputs: ['GetObject', 'ListMultipartUploadParts', 'PutObject'] },
  },
  'delete-job': {
    file: 'jobs/delete-job',
    answers: { delete: [ok(Job)] },
    table: {
      actions: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['users', 'budgets'],
      appendsTo: ['ledgers'],
      looksUp: ['projects'],
    },
    files: { inputs: ['DeleteObject'], results: ['DeleteObject'] },
  },
  'read-files': {
    file: 'files/read-files',
    answers: {
      list: [ok(v.array(JobFile))],
      one: [ok('bytes'), seeOther],
      ofBatch: [ok(v.array(JobResult)), ok('lines')],
      folder: [ok(ProjectFolder)],
      folderFiles: [ok(v.array(JobFile))],
      folderFile: [ok('bytes'), seeOther],
    },
    table: {
      // Records copies of large files, and that somebody follows a job.
      actions: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      // What the folder of a project has is noted beside its budget.
      partitions: ['users', 'budgets'],
      looksUp: ['projects', 'simulators', 'systems', 'logins'],
    },
    files: { results: ['DeleteObject', 'GetObject', 'PutObject'] },
    secrets: true,
    pages: true,
  },
  'clear-folder': {
    file: 'folders/clear-folder',
    answers: { remove: [ok(ProjectFolder)], empty: [ok(ProjectFolder)] },
    table: {
      actions: ['BatchGetItem', 'GetItem', 'PutItem'],
      partitions: ['budgets'],
      appendsTo: ['audit'],
      looksUp: ['users', 'projects', 'systems', 'logins'],
    },
    files: { results: ['GetObject'] },
    secrets: true,
  },
  'hand-out-input': {
    file: 'handover/hand-out-input',
    answers: {
      input: [temporaryRedirect],
      script: [ok('bytes')],
      object: [temporaryRedirect],
    },
    // Finds a task of an array by its number, and notes which run of a job was the first.
    table: { actions: ['GetItem', 'Query', 'UpdateItem'], partitions: ['users'] },
    files: { inputs: ['GetObject'], buckets: ['GetObject'] },
    passes: true,
  },
  'take-results': {
    file: 'handover/take-results',
    answers: {
      take: [temporaryRedirect],
      follow: [ok(Followed)],
      object: [temporaryRedirect],
      folder: [ok(ProjectFolder)],
    },
    table: {
      actions: ['GetItem', 'UpdateItem', 'PutItem'],
      partitions: ['users'],
      // What a job saw in the folder of its project.
      appendsTo: ['budgets'],
    },
    files: { results: ['PutObject'], buckets: ['PutObject'] },
    passes: true,
  },
  'read-quotas': {
    file: 'quotas/read-quotas',
    answers: { list: [ok(v.array(Quota))], one: [ok(Quota)], ledger: [ok(Ledger)] },
    table: {
      actions: ['DeleteItem', 'GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters', 'logins'],
      appendsTo: ['ledgers'],
      queries: ['ledgers'],
      looksUp: ['projects'],
    },
    pages: true,
  },
  'read-all-quotas': {
    file: 'admin/read-quotas',
    answers: {
      ofUser: [ok(v.array(Quota))],
      one: [ok(Quota)],
      ledger: [ok(Ledger)],
      everybody: [ok(v.array(Quota))],
    },
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      partitions: ['registry', 'users', 'ledgers', 'projects'],
    },
    pages: true,
  },
  'grant-quota': {
    file: 'admin/grant-quota',
    answers: { grant: [created(QuotaWithUsage), ok(QuotaWithUsage)] },
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters', 'budgets'],
      appendsTo: ['ledgers', 'audit'],
      // Checks whether the user already got a welcome quota, if the profile does not say so.
      queries: ['ledgers'],
      looksUp: ['projects'],
    },
  },
  'grant-quotas': {
    file: 'admin/grant-quotas',
    answers: { grant: [ok(v.array(GrantedRow))] },
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters'],
      looksUp: ['projects'],
      appendsTo: ['ledgers', 'audit'],
      // Checks whether the user already got a welcome quota, if the profile does not say so.
      queries: ['ledgers'],
    },
    takesLong: true,
  },
  'remove-quota': {
    file: 'admin/remove-quota',
    answers: { remove: [ok(QuotaWithUsage)] },
    table: {
      actions: ['DeleteItem', 'GetItem', 'Query', 'UpdateItem'],
      partitions: ['users', 'spending', 'budgets'],
      appendsTo: ['ledgers', 'audit', 'statements'],
      looksUp: ['projects'],
    },
    files: { inputs: ['DeleteObject'], results: ['DeleteObject'] },
    takesLong: true,
  },
  'read-audit': {
    file: 'admin/read-audit',
    answers: { list: [ok(v.array(Act))] },
    table: { actions: ['BatchGetItem', 'Query'], partitions: ['audit'], looksUp: ['users'] },
    pages: true,
  },
  'read-systems': {
    file: 'status/read-systems',
    answers: { list: [ok(v.array(SystemReport))] },
    table: { actions: ['BatchGetItem', 'Query'], partitions: ['systems'], looksUp: ['spending'] },
    keepsBudget: true,
  },
  'change-maintenance': {
    file: 'status/change-maintenance',
    answers: {
      announce: [created(MaintenanceWindow), ok(MaintenanceWindow)],
      withdraw: [ok(MaintenanceWindow)],
      pause: [ok(MaintenanceWindow)],
      resume: [ok(MaintenanceWindow)],
    },
    table: { actions: ['GetItem', 'PutItem'], partitions: ['systems'], appendsTo: ['audit'] },
  },
  'read-users': {
    file: 'admin/read-users',
    answers: {
      list: [ok(v.array(User))],
      one: [ok(User)],
      accounts: [ok(v.array(Account))],
      account: [ok(Account)],
      export: [ok(Person)],
    },
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      partitions: ['registry', 'users'],
      queries: ['usage'],
    },
    pages: true,
  },
  'change-user': {
    file: 'admin/change-user',
    answers: { ban: [ok(User)], map: [created(Account), ok(Account)] },
    table: {
      actions: ['DeleteItem', 'GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters', 'logins'],
      appendsTo: ['ledgers', 'audit'],
      // Checks whether the user already got a welcome quota, if the profile does not say so.
      queries: ['ledgers'],
      looksUp: ['projects'],
    },
  },
  'clear-user': {
    file: 'admin/clear-user',
    answers: { unban: [ok(User)], unmap: [ok(Account)], erase: [ok(Erasure)] },
    table: {
      actions: ['DeleteItem', 'GetItem', 'Query', 'UpdateItem'],
      partitions: ['users', 'logins', 'webhooks'],
      appendsTo: ['audit'],
      looksUp: ['projects'],
    },
    // The log of a webhook may be long.
    takesLong: true,
  },
  'map-accounts': {
    file: 'admin/map-accounts',
    answers: { map: [ok(v.array(AccountRow))] },
    table: {
      actions: ['DeleteItem', 'GetItem', 'PutItem'],
      partitions: ['users', 'logins'],
      appendsTo: ['audit'],
    },
    takesLong: true,
  },
  'read-all-jobs': {
    file: 'admin/read-all-jobs',
    answers: { list: [ok(v.array(Job))], one: [ok(JobWithRequest)], timeline: [ok(Timeline)] },
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      partitions: ['project_jobs', 'registry', 'users', 'systems', 'projects'],
    },
    pages: true,
  },
  'delete-any-job': {
    file: 'admin/delete-any-job',
    answers: { delete: [ok(Job)] },
    table: {
      actions: ['DeleteItem', 'GetItem', 'Query', 'UpdateItem'],
      partitions: ['registry', 'users', 'budgets'],
      appendsTo: ['ledgers', 'audit'],
      looksUp: ['projects'],
    },
    files: { inputs: ['DeleteObject'], results: ['DeleteObject'] },
  },
  'create-request': {
    file: 'requests/create-request',
    answers: { create: [created(QuotaRequest)] },
    table: { actions: ['GetItem', 'PutItem'], partitions: ['users'], looksUp: ['projects'] },
  },
  'read-requests': {
    file: 'requests/read-requests',
    answers: { list: [ok(v.array(QuotaRequest))], one: [ok(QuotaRequest)] },
    table: { actions: ['GetItem', 'Query'], partitions: ['users'] },
    pages: true,
  },
  'withdraw-request': {
    file: 'requests/withdraw-request',
    answers: { withdraw: [ok(QuotaRequest)] },
    table: { actions: ['GetItem', 'PutItem'], partitions: ['users'] },
  },
  'read-all-requests': {
    file: 'requests/read-all-requests',
    answers: { list: [ok(v.array(JudgedRequest))], one: [ok(JudgedRequest)] },
    table: { actions: ['BatchGetItem', 'GetItem', 'Query'], partitions: ['registry', 'users'] },
    pages: true,
  },
  'decide-request': {
    file: 'requests/decide-request',
    answers: { approve: [ok(JudgedRequest)], decline: [ok(JudgedRequest)] },
    table: {
      actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters', 'budgets'],
      appendsTo: ['ledgers', 'audit'],
      // Checks whether the user already got a welcome quota, if the profile does not say so.
      queries: ['ledgers'],
    },
  },
  'read-usage-report': {
    file: 'reports/read-usage-report',
    answers: { report: [ok(v.array(ReportRow)), ok('csv')] },
    // Finds whether the caller leads the project, and the names of users.
    table: { actions: ['BatchGetItem', 'Query'], partitions: ['usage'], looksUp: ['users'] },
    pages: true,
  },
  'read-usage': {
    file: 'reports/read-usage',
    answers: { report: [ok(v.array(ReportRow)), ok('csv')] },
    table: { actions: ['Query'], partitions: ['usage'] },
  },
  'read-webhooks': {
    file: 'webhooks/read-webhooks',
    answers: {
      list: [ok(v.array(Webhook))],
      one: [ok(Webhook)],
      deliveries: [ok(v.array(Delivery))],
      notifications: [ok(Notifications)],
    },
    table: { actions: ['GetItem', 'Query'], partitions: ['users', 'webhooks'] },
    pages: true,
    tellsByMail: true,
  },
  'create-webhook': {
    file: 'webhooks/create-webhook',
    answers: { create: [created(WebhookWithSecret)], test: [ok(Delivery)], again: [ok(Delivery)] },
    table: {
      actions: ['GetItem', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'webhooks'],
    },
  },
  'change-notifications': {
    file: 'mail/change-notifications',
    answers: { change: [ok(Notifications)] },
    table: { actions: ['GetItem', 'PutItem', 'UpdateItem'], partitions: ['users'] },
    tellsByMail: true,
  },
  'answer-mail': {
    file: 'mail/answer-mail',
    answers: { confirm: [ok('page')], unsubscribe: [ok('page')] },
    table: { actions: ['GetItem', 'PutItem'], partitions: ['users'] },
    passes: true,
  },
  'delete-webhook': {
    file: 'webhooks/delete-webhook',
    answers: { delete: [ok(Webhook)] },
    table: { actions: ['DeleteItem', 'GetItem', 'UpdateItem'], partitions: ['users'] },
  },
  'list-systems': {
    file: 'catalog/list-systems',
    answers: { list: [ok(v.array(System))] },
    table: { actions: ['BatchGetItem'], partitions: ['systems'] },
  },
  'read-projects': {
    file: 'catalog/read-projects',
    answers: {
      list: [ok(v.array(Project))],
      one: [ok(Project)],
      budget: [ok(LedProject)],
      ledger: [ok(Ledger)],
      statement: [ok(Statement), ok('csv')],
    },
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query'],
      // Knows what the caller leads, and the names of users.
      partitions: ['projects', 'users', 'budgets', 'ledgers'],
      // Stores the statements of months that are over.
      appendsTo: ['statements'],
      queries: ['registry', 'statements'],
    },
    pages: true,
  },
  'open-project': {
    file: 'admin/projects/open-project',
    answers: {
      open: [created(Project), ok(Project)],
      budget: [ok(LedProject)],
      leaders: [ok(LedProject)],
    },
    table: {
      actions: ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem'],
      partitions: ['projects', 'counters', 'budgets', 'users'],
      appendsTo: ['ledgers', 'audit'],
    },
  },
  'close-project': {
    file: 'admin/projects/close-project',
    answers: { close: [ok(Project)] },
    table: { actions: ['GetItem', 'PutItem'], partitions: ['projects'], appendsTo: ['audit'] },
  },
  'read-status': {
    file: 'status/read-status',
    answers: { read: [ok(Status)] },
    table: { actions: ['BatchGetItem'], partitions: ['systems'] },
  },
  'read-reference': {
    file: 'reference/read-reference',
    answers: {
      page: [ok('bytes')],
      script: [ok('bytes')],
      style: [ok('bytes')],
      description: [ok('bytes')],
      signIn: [ok(ProtectedResource)],
      confirmPage: [ok('page')],
      unsubscribePage: [ok('page')],
    },
    tellsOfTheApi: true,
    namesSignIn: true,
  },
} as const satisfies RunsOf<typeof endpoints>;

/** Every endpoint with what it needs to run, for infra, the local gateway, `$default` and tests. */
export const routes = addRuns(endpoints, runs);

function addRuns<Endpoints extends EndpointTable, Runs extends RunsOf<Endpoints>>(
  endpoints: Endpoints,
  runs: Runs,
): { readonly [Name in keyof Endpoints]: Endpoints[Name] & Runs[Name] };
function addRuns(endpoints: EndpointTable, runs: RunsOf<EndpointTable>) {
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [name, { ...endpoint, ...runs[name] }]),
  );
}

export type RouteName = keyof typeof routes;

export const routeNames = Object.keys(routes).filter(isRouteName);

function isRouteName(name: string): name is RouteName {
  return name in routes;
}

/** Routes in the OpenAPI description: all except those that serve the description. */
export type DescribedRouteName = {
  [Name in RouteName]: (typeof routes)[Name] extends { readonly tellsOfTheApi: true }
    ? never
    : Name;
}[RouteName];

export const describedRouteNames = routeNames.filter(isDescribed);

function isDescribed(name: RouteName): name is DescribedRouteName {
  const route: Route = routes[name];
  return !(route.tellsOfTheApi ?? false);
}

/** Routes whose fixed prefix is itself a path. With a trailing slash, it reaches `$default`. */
export const bareRouteNames = routeNames.filter((name) => isBareRoute(routes[name]));
