import type { Row } from './rows.ts';

/** Answers of a row, each with the callers who get it. Every caller is named once. */
export type ExpectedRow = Readonly<Record<string, string>>;

/** Nobody is asked who they are. */
const anybody = 'nobody user other leader otherLeader banned expired administrator foreign';
/** Everybody with a good token. */
const signedIn = 'user other leader otherLeader banned expired administrator';
/** Those whose thing it is not. */
const strangers = 'other leader otherLeader banned expired administrator';
const notAdministrators = 'user other leader otherLeader banned expired';
const notLeaders = 'user other otherLeader banned expired';
/** Those who say nothing, or nothing that can be believed, about who they are. */
const unknown = 'nobody foreign';

/**
 * The answer of every route to every kind of caller, by method and form of the path. A route or a
 * caller that is not named here fails the test: say here who may do what.
 */
export const expectedAnswers: Readonly<Record<Row['id'], ExpectedRow>> = {
  'GET /jobs/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /jobs/{hpc}/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /jobs/{hpc}/{project_name}/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /jobs/{hpc}/{project_name}/{job_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 job-not-found': strangers,
  },
  'GET /jobs/{hpc}/{project_name}/{job_id}/timeline/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 job-not-found': strangers,
  },
  'POST /jobs/{hpc}/': {
    201: 'user other leader otherLeader administrator',
    '401 invalid-token': unknown,
    '403 banned': 'banned',
    '403 quota-expired': 'expired',
  },
  'POST /jobs/{hpc}/{project_name}/': {
    201: 'user other leader otherLeader administrator',
    '401 invalid-token': unknown,
    '403 banned': 'banned',
    '403 quota-expired': 'expired',
  },
  'POST /batches/{hpc}/': {
    201: 'user other leader otherLeader administrator',
    '401 invalid-token': unknown,
    '403 banned': 'banned',
    '403 quota-expired': 'expired',
  },
  'POST /batches/{hpc}/{project_name}/': {
    201: 'user other leader otherLeader administrator',
    '401 invalid-token': unknown,
    '403 banned': 'banned',
    '403 quota-expired': 'expired',
  },
  'POST /batches/{hpc}/{project_name}/{batch_id}/failed/': {
    '401 invalid-token': unknown,
    '404 batch-not-found': strangers,
    '409 nothing-failed': 'user',
  },
  'GET /batches/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /batches/{hpc}/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /batches/{hpc}/{project_name}/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /batches/{hpc}/{project_name}/{batch_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 batch-not-found': strangers,
  },
  'DELETE /batches/{hpc}/{project_name}/{batch_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 batch-not-found': strangers,
  },
  'POST /uploads/': {
    201: 'user other leader otherLeader expired administrator',
    '401 invalid-token': unknown,
    '403 banned': 'banned',
  },
  'POST /uploads/{upload_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 upload-gone': strangers,
  },
  'DELETE /jobs/{hpc}/{project_name}/{job_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 job-not-found': strangers,
  },
  'GET /results/{hpc}/{project_name}/{batch_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 batch-not-found': strangers,
  },
  'GET /files/{hpc}/{project_name}/{job_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 job-not-found': strangers,
  },
  'GET /files/{hpc}/{project_name}/{job_id}/{file_id}/': {
    '401 invalid-token': unknown,
    '404 file-not-found': 'user',
    '404 job-not-found': strangers,
  },
  'GET /folders/{hpc}/{project_name}/': {
    '401 invalid-token': unknown,
    '404 folder-not-found': signedIn,
  },
  'GET /folders/{hpc}/{project_name}/files/': {
    '401 invalid-token': unknown,
    '404 folder-not-found': signedIn,
  },
  'GET /folders/{hpc}/{project_name}/files/{file_id}/': {
    '401 invalid-token': unknown,
    '404 folder-not-found': signedIn,
  },
  'DELETE /folders/{hpc}/{project_name}/files/{file_id}/': {
    '401 invalid-token': unknown,
    '404 folder-not-found': signedIn,
  },
  'DELETE /folders/{hpc}/{project_name}/': {
    '401 invalid-token': unknown,
    '403 not-leader': notLeaders,
    '404 folder-not-found': 'leader administrator',
  },
  'GET /handover/{job_id}/input/': { 307: anybody },
  'GET /handover/{job_id}/script/': { 200: anybody },
  // The job has nothing in a bucket.
  'GET /handover/{job_id}/fetch/': { '404 job-not-found': anybody },
  'PUT /handover/{job_id}/send/': { '404 job-not-found': anybody },
  'PUT /handover/{job_id}/results/': { 307: anybody },
  'PUT /handover/{job_id}/output/': { 200: anybody },
  // No system of the tests has folders of projects; the scenes of test/connectors tell members and
  // strangers apart.
  'PUT /handover/{job_id}/folder/': { '404 job-not-found': anybody },
  'GET /quotas/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /quotas/{hpc}/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /quotas/{hpc}/{project_name}/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /quotas/{hpc}/{project_name}/ledger/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /admin/quotas/{user_id}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/quotas/{user_id}/{hpc}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/quotas/{user_id}/{hpc}/{project_name}/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'GET /admin/quotas/{user_id}/{hpc}/{project_name}/ledger/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'GET /admin/quotas/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/quotas/{user_id}/{hpc}/{project_name}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
    '409 not-from-budget': 'leader',
  },
  'POST /admin/quotas/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'DELETE /admin/quotas/{user_id}/{hpc}/{project_name}/': {
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
    '409 not-from-budget': 'leader',
    '409 quota-in-use': 'administrator',
  },
  'GET /admin/audit/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/systems/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/systems/{hpc}/maintenance/{window_name}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/systems/{hpc}/maintenance/{window_name}/withdraw/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/systems/{hpc}/pause/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/systems/{hpc}/resume/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/users/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/users/{user_id}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/users/{user_id}/accounts/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/users/{user_id}/accounts/{hpc}/': {
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
    '404 account-not-found': 'administrator',
  },
  'GET /admin/users/{user_id}/export/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/users/{user_id}/ban/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/users/{user_id}/ban/{hpc}/{project_name}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/users/{user_id}/accounts/{hpc}/': {
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
    '409 accounts-not-used': 'administrator',
  },
  'DELETE /admin/users/{user_id}/ban/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'DELETE /admin/users/{user_id}/ban/{hpc}/{project_name}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'DELETE /admin/users/{user_id}/accounts/{hpc}/': {
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
    '404 account-not-found': 'administrator',
  },
  'DELETE /admin/users/{user_id}/person/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'POST /admin/accounts/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/jobs/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/jobs/{hpc}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/jobs/{hpc}/{project_name}/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'GET /admin/jobs/{hpc}/{project_name}/{job_id}/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'GET /admin/jobs/{hpc}/{project_name}/{job_id}/timeline/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'DELETE /admin/jobs/{hpc}/{project_name}/{job_id}/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'POST /requests/': { 201: strangers, '401 invalid-token': unknown, '409 request-open': 'user' },
  'GET /requests/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /requests/{request_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 request-not-found': strangers,
  },
  'DELETE /requests/{request_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 request-not-found': strangers,
  },
  'GET /admin/requests/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /admin/requests/{request_id}/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'PUT /admin/requests/{request_id}/approve/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'PUT /admin/requests/{request_id}/decline/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notLeaders,
  },
  'GET /admin/reports/usage/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /usage/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /webhooks/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /webhooks/{webhook_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 webhook-not-found': strangers,
  },
  'GET /webhooks/{webhook_id}/deliveries/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 webhook-not-found': strangers,
  },
  'GET /notifications/': { 200: signedIn, '401 invalid-token': unknown },
  'POST /webhooks/': { 201: signedIn, '401 invalid-token': unknown },
  'POST /webhooks/{webhook_id}/test/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 webhook-not-found': strangers,
  },
  'POST /webhooks/{webhook_id}/deliveries/{delivery_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 webhook-not-found': strangers,
  },
  'PUT /notifications/': { '401 invalid-token': unknown, '409 mail-not-set-up': signedIn },
  'POST /mail/confirm/': { '404 link-not-valid': anybody },
  'POST /mail/unsubscribe/': { 200: anybody },
  'DELETE /webhooks/{webhook_id}/': {
    200: 'user',
    '401 invalid-token': unknown,
    '404 webhook-not-found': strangers,
  },
  'GET /hpc/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /projects/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /projects/{hpc}/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /projects/{hpc}/{project_name}/': { 200: signedIn, '401 invalid-token': unknown },
  'GET /projects/{hpc}/{project_name}/budget/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-leader': notLeaders,
  },
  'GET /projects/{hpc}/{project_name}/budget/ledger/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-leader': notLeaders,
  },
  'GET /projects/{hpc}/{project_name}/statement/': {
    200: 'leader administrator',
    '401 invalid-token': unknown,
    '403 not-leader': notLeaders,
  },
  'PUT /admin/projects/{hpc}/{any_project_name}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/projects/{hpc}/{project_name}/budget/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'PUT /admin/projects/{hpc}/{project_name}/leaders/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'DELETE /admin/projects/{hpc}/{any_project_name}/': {
    200: 'administrator',
    '401 invalid-token': unknown,
    '403 not-administrator': notAdministrators,
  },
  'GET /status/': { 200: anybody },
  'GET /docs/': { 200: anybody },
  'GET /docs/reference.js': { 200: anybody },
  'GET /docs/reference.css': { 200: anybody },
  'GET /openapi.json': { 200: anybody },
  'GET /.well-known/oauth-protected-resource': { 200: anybody },
  'GET /mail/confirm/': { 200: anybody },
  'GET /mail/unsubscribe/': { 200: anybody },
};
