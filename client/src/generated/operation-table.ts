// Made by `npm run client:generate` from docs/openapi.json. Do not edit.

/** Parts that many paths have are there only once. */
const job = '{hpc}/{project_name}/{job_id}/';
const project = '{hpc}/{project_name}';
const jobs = '[{hpc}/[{project_name}/]]';
const user = '/admin/users/{user_id}/';
const quotas = '/admin/quotas/{user_id}/';
const request = 'requests/{request_id}/';
const webhook = '/webhooks/{webhook_id}/';

/** Paths in the notation of docs/interface.md, by method; '*' marks what comes in pages. */
export const operationTable = {
  'GET*': {
    listJobs: `/jobs/${jobs}`,
    listBatches: `/batches/${jobs}`,
    readLedger: `/quotas/${project}/ledger/`,
    readLedgerOfUser: `${quotas}${project}/ledger/`,
    listAllQuotas: '/admin/quotas/',
    readAudit: '/admin/audit/',
    listUsers: '/admin/users/',
    listAllJobs: `/admin/jobs/${jobs}`,
    listRequests: '/requests/',
    listAllRequests: '/admin/requests/',
    reportUsage: '/admin/reports/usage/',
    listDeliveries: `${webhook}deliveries/`,
    readBudgetLedger: `/projects/${project}/budget/ledger/`,
  },
  GET: {
    getJob: `/jobs/${job}`,
    getTimeline: `/jobs/${job}timeline/`,
    getBatch: `/batches/${project}/{batch_id}/`,
    listFiles: `/files/${job}`,
    listQuotas: '/quotas/[{hpc}/]',
    getQuota: `/quotas/${project}/`,
    listQuotasOfUser: `${quotas}[{hpc}/]`,
    getQuotaOfUser: `${quotas}${project}/`,
    reportSystems: '/admin/systems/',
    getUser: `${user}`,
    listAccounts: `${user}accounts/`,
    getAccount: `${user}accounts/{hpc}/`,
    getAnyJob: `/admin/jobs/${job}`,
    getAnyTimeline: `/admin/jobs/${job}timeline/`,
    getRequest: `/${request}`,
    getAnyRequest: `/admin/${request}`,
    readUsage: '/usage/',
    listWebhooks: '/webhooks/',
    getWebhook: `${webhook}`,
    getNotifications: '/notifications/',
    listSystems: '/hpc/',
    listProjects: '/projects/[{hpc}/]',
    getProject: `/projects/${project}/`,
    getBudget: `/projects/${project}/budget/`,
    readStatus: '/status/',
  },
  DELETE: {
    deleteJob: `/jobs/${job}`,
    deleteBatch: `/batches/${project}/{batch_id}/`,
    removeQuota: `${quotas}${project}/`,
    unmapAccount: `${user}accounts/{hpc}/`,
    unbanUser: `${user}ban/[${project}/]`,
    deleteAnyJob: `/admin/jobs/${job}`,
    withdrawRequest: `/${request}`,
    deleteWebhook: `${webhook}`,
    closeProject: '/admin/projects/{hpc}/{any_project_name}/',
  },
  POST: {
    repeatFailed: `/batches/${project}/{batch_id}/failed/`,
    createUpload: '/uploads/',
    askForMore: '/requests/',
    createWebhook: '/webhooks/',
    testWebhook: `${webhook}test/`,
    sendAgain: `${webhook}deliveries/{delivery_id}/`,
  },
  PUT: {
    grantQuota: `${quotas}${project}/`,
    mapAccount: `${user}accounts/{hpc}/`,
    banUser: `${user}ban/[${project}/]`,
    approveRequest: `/admin/${request}approve/`,
    declineRequest: `/admin/${request}decline/`,
    changeNotifications: '/notifications/',
    openProject: '/admin/projects/{hpc}/{any_project_name}/',
    changeBudget: `/admin/projects/${project}/budget/`,
    setLeaders: `/admin/projects/${project}/leaders/`,
  },
} as const;
