/** Where an answer leads: operations that its names are for, with the values of their parameters. */
interface LinkRow {
  readonly statuses: readonly number[];
  readonly to: readonly string[];
  /** Values as runtime expressions of OpenAPI, by parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

const fromPath = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `$request.path.${name}`]));
const fromBody = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `$response.body#/${name}`]));
const fromFirst = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `$response.body#/0/${name}`]));

// Answers write the system in capitals and paths in lower case, so it comes from the path.
const job = { ...fromPath('hpc'), ...fromBody('project_name', 'job_id') };
const firstJob = { ...fromPath('hpc'), ...fromFirst('project_name', 'job_id') };
const batch = { ...fromPath('hpc'), ...fromBody('project_name', 'batch_id') };
const firstBatch = { ...fromPath('hpc'), ...fromFirst('project_name', 'batch_id') };
const jobPath = fromPath('hpc', 'project_name', 'job_id');
const quotaPath = fromPath('user_id', 'hpc', 'project_name');
const projectPath = { ...fromPath('hpc'), project_name: '$request.path.any_project_name' };

const aboutJobs = ['getJob', 'getTimeline', 'listFiles', 'deleteJob'];
const aboutAnyJobs = ['getAnyJob', 'getAnyTimeline', 'deleteAnyJob'];
const aboutBatches = ['getBatch', 'repeatFailed', 'deleteBatch'];
const aboutWebhooks = ['getWebhook', 'testWebhook', 'listDeliveries', 'deleteWebhook'];

/**
 * What can be done with an answer, by operation. Readers and tools follow these links from one
 * request to the next.
 */
export const links: Readonly<Record<string, readonly LinkRow[]>> = {
  submitJob: [{ statuses: [201], to: [...aboutJobs, ...aboutAnyJobs], parameters: job }],
  listJobsByHpc: [{ statuses: [200], to: aboutJobs, parameters: firstJob }],
  listJobsByProjectName: [{ statuses: [200], to: aboutJobs, parameters: firstJob }],
  listAllJobsByHpc: [{ statuses: [200], to: aboutAnyJobs, parameters: firstJob }],
  listAllJobsByProjectName: [{ statuses: [200], to: aboutAnyJobs, parameters: firstJob }],
  listFiles: [
    {
      statuses: [200],
      to: ['getFile'],
      parameters: { ...jobPath, file_id: '$response.body#/0/fileid' },
    },
  ],
  submitBatch: [
    { statuses: [201], to: aboutBatches, parameters: batch },
    {
      statuses: [201],
      to: ['listJobsByProjectName'],
      parameters: {
        ...fromPath('hpc'),
        ...fromBody('project_name'),
        batch: '$response.body#/batch_id',
      },
    },
  ],
  listBatchesByHpc: [{ statuses: [200], to: aboutBatches, parameters: firstBatch }],
  listBatchesByProjectName: [{ statuses: [200], to: aboutBatches, parameters: firstBatch }],
  createUpload: [
    {
      statuses: [201],
      to: ['submitJob', 'submitBatch'],
      parameters: { 'header.Upload-Id': '$response.body#/upload_id' },
    },
  ],
  askForMore: [
    {
      statuses: [201],
      to: ['getRequest', 'getAnyRequest', 'approveRequest', 'declineRequest', 'withdrawRequest'],
      parameters: fromBody('request_id'),
    },
  ],
  listAllRequests: [
    {
      statuses: [200],
      to: ['getAnyRequest', 'approveRequest', 'declineRequest'],
      parameters: fromFirst('request_id'),
    },
  ],
  createWebhook: [{ statuses: [201], to: aboutWebhooks, parameters: fromBody('webhook_id') }],
  listWebhooks: [{ statuses: [200], to: aboutWebhooks, parameters: fromFirst('webhook_id') }],
  listDeliveries: [
    {
      statuses: [200],
      to: ['sendAgain'],
      parameters: { ...fromPath('webhook_id'), ...fromFirst('delivery_id') },
    },
  ],
  testWebhook: [
    {
      statuses: [200],
      to: ['sendAgain'],
      parameters: { ...fromPath('webhook_id'), ...fromBody('delivery_id') },
    },
  ],
  grantQuota: [
    {
      statuses: [200, 201],
      to: ['getQuotaOfUser', 'readLedgerOfUser', 'removeQuota'],
      parameters: quotaPath,
    },
  ],
  banUser: [{ statuses: [200], to: ['getUser', 'unbanUser'], parameters: fromPath('user_id') }],
  banUserByProjectName: [
    { statuses: [200], to: ['unbanUserByProjectName'], parameters: quotaPath },
  ],
  mapAccount: [
    {
      statuses: [200, 201],
      to: ['getAccount', 'unmapAccount'],
      parameters: fromPath('user_id', 'hpc'),
    },
  ],
  openProject: [
    {
      statuses: [200, 201],
      to: ['getProject', 'getBudget', 'changeBudget', 'setLeaders'],
      parameters: projectPath,
    },
    {
      statuses: [200, 201],
      to: ['closeProject'],
      parameters: fromPath('hpc', 'any_project_name'),
    },
  ],
};
