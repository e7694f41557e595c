/** Where an answer leads: operations that its names are for, with the values of their parameters. */
interface LinkRow {
  readonly statuses: readonly number[];
  readonly to: readonly string[];
  /** Values as runtime expressions of OpenAPI, by parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

const answered =
  (...statuses: readonly number[]) =>
  (to: readonly string[], parameters: LinkRow['parameters']): LinkRow => ({
    statuses,
    to,
    parameters,
  });
const [read, created, written] = [answered(200), answered(201), answered(200, 201)];

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
  submitJob: [created([...aboutJobs, ...aboutAnyJobs], job)],
  listJobsByHpc: [read(aboutJobs, firstJob)],
  listJobsByProjectName: [read(aboutJobs, firstJob)],
  listAllJobsByHpc: [read(aboutAnyJobs, firstJob)],
  listAllJobsByProjectName: [read(aboutAnyJobs, firstJob)],
  listFiles: [read(['getFile'], { ...jobPath, file_id: '$response.body#/0/fileid' })],
  submitBatch: [
    created(aboutBatches, batch),
    created(['listJobsByProjectName'], {
      ...fromPath('hpc'),
      ...fromBody('project_name'),
      batch: '$response.body#/batch_id',
    }),
  ],
  listBatchesByHpc: [read(aboutBatches, firstBatch)],
  listBatchesByProjectName: [read(aboutBatches, firstBatch)],
  createUpload: [
    created(['submitJob', 'submitBatch'], { 'header.Upload-Id': '$response.body#/upload_id' }),
    created(['continueUpload'], fromBody('upload_id')),
  ],
  askForMore: [
    created(
      ['getRequest', 'getAnyRequest', 'approveRequest', 'declineRequest', 'withdrawRequest'],
      fromBody('request_id'),
    ),
  ],
  listAllRequests: [
    read(['getAnyRequest', 'approveRequest', 'declineRequest'], fromFirst('request_id')),
  ],
  createWebhook: [created(aboutWebhooks, fromBody('webhook_id'))],
  listWebhooks: [read(aboutWebhooks, fromFirst('webhook_id'))],
  listDeliveries: [read(['sendAgain'], { ...fromPath('webhook_id'), ...fromFirst('delivery_id') })],
  testWebhook: [read(['sendAgain'], { ...fromPath('webhook_id'), ...fromBody('delivery_id') })],
  grantQuota: [written(['getQuotaOfUser', 'readLedgerOfUser', 'removeQuota'], quotaPath)],
  banUser: [read(['getUser', 'unbanUser'], fromPath('user_id'))],
  banUserByProjectName: [read(['unbanUserByProjectName'], quotaPath)],
  mapAccount: [written(['getAccount', 'unmapAccount'], fromPath('user_id', 'hpc'))],
  openProject: [
    written(['getProject', 'getBudget', 'changeBudget', 'setLeaders'], projectPath),
    written(['closeProject'], fromPath('hpc', 'any_project_name')),
  ],
};
