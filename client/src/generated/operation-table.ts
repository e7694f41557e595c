// Made by `npm run client:generate` from docs/openapi.json. Do not edit.

/** Parts that many paths have are there only once. */
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
    getJob: `/jobs/${project}/{job_id}/`,
    getTimeline: `/jobs/${project}/{job_id}/timeline/`,
    getBatch: `/batches/${project}/{batch_id}/`,
    listFiles: `/files/${project}/{job_id}/`,
    listQuotas: '/quotas/[{hpc}/]',
    getQuota: `/quotas/${project}/`,
    listQuotasOfUser: `${quotas}[{hpc}/]`,
    getQuotaOfUser: `${quotas}${project}/`,
    reportSystems: '/admin/systems/',
    getUser: `${user}`,
    listAccounts: `${user}accounts/`,
    getAccount: `${user}accounts/{hpc}/`,
    getAnyJob: `/admin/jobs/${project}/{job_id}/`,
    getAnyTimeline: `/admin/jobs/${project}/{job_id}/timeline/`,
    getRequest: `/${request}`,
    getAnyRequest: `/admin/${request}`,
    readUsage: '/usage/',
    listWebhooks: '/webhooks/',
    getWebhook: `${webhook}`,
    listSystems: '/hpc/',
    listProjects: '/projects/[{hpc}/]',
    getProject: `/projects/${project}/`,
    getBudget: `/projects/${project}/budget/`,
    readStatus: '/status/',
  },
  DELETE: {
    deleteJob: `/jobs/${project}/{job_id}/`,
    deleteBatch: `/batches/${project}/{batch_id}/`,
    removeQuota: `${quotas}${project}/`,
    unmapAccount: `${user}accounts/{hpc}/`,
    unbanUser: `${user}ban/[${project}/]`,
    deleteAnyJob: `/admin/jobs/${project}/{job_id}/`,
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
    openProject: '/admin/projects/{hpc}/{any_project_name}/',
    changeBudget: `/admin/projects/${project}/budget/`,
    setLeaders: `/admin/projects/${project}/leaders/`,
  },
} as const;
