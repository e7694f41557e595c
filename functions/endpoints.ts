import type { Access, Endpoint, EndpointTable } from '#lib/http/routes/route.ts';

function endpoint<
  const Method extends Endpoint['method'],
  const May extends Access,
  const Paths extends Endpoint['paths'],
>(method: Method, access: May, paths: Paths) {
  return { method, access, paths };
}

/**
 * Lists all endpoints as clients see them: paths, methods and who may call. It is part of every
 * bundle, so that each function can answer 405 with the allowed methods of a path. Details for the
 * deployment and the tests are in routes.ts.
 */
export const endpoints = {
  'read-jobs': endpoint('GET', 'caller', {
    list: '/jobs/[{hpc}/[{project_name}/]]',
    one: '/jobs/{hpc}/{project_name}/{job_id}/',
    timeline: '/jobs/{hpc}/{project_name}/{job_id}/timeline/',
  }),
  'submit-job': endpoint('POST', 'caller', { submit: '/jobs/{hpc}/[{project_name}/]' }),
  'submit-batch': endpoint('POST', 'caller', {
    submit: '/batches/{hpc}/[{project_name}/]',
    again: '/batches/{hpc}/{project_name}/{batch_id}/failed/',
  }),
  'read-batches': endpoint('GET', 'caller', {
    list: '/batches/[{hpc}/[{project_name}/]]',
    one: '/batches/{hpc}/{project_name}/{batch_id}/',
  }),
  'delete-batch': endpoint('DELETE', 'caller', {
    delete: '/batches/{hpc}/{project_name}/{batch_id}/',
  }),
  'create-upload': endpoint('POST', 'caller', {
    create: '/uploads/',
    continue: '/uploads/{upload_id}/',
  }),
  'delete-job': endpoint('DELETE', 'caller', { delete: '/jobs/{hpc}/{project_name}/{job_id}/' }),
  'read-files': endpoint('GET', 'caller', {
    list: '/files/{hpc}/{project_name}/{job_id}/',
    one: '/files/{hpc}/{project_name}/{job_id}/{file_id}/',
    ofBatch: '/results/{hpc}/{project_name}/{batch_id}/',
    folder: '/folders/{hpc}/{project_name}/',
    folderFiles: '/folders/{hpc}/{project_name}/files/',
    folderFile: '/folders/{hpc}/{project_name}/files/{file_id}/',
  }),
  'clear-folder': endpoint('DELETE', 'caller', {
    remove: '/folders/{hpc}/{project_name}/files/{file_id}/',
    empty: '/folders/{hpc}/{project_name}/',
  }),
  // The pass in the URL authorizes the job (lib/jobs/passes).
  'hand-out-input': endpoint('GET', 'public', {
    input: '/handover/{job_id}/input/',
    script: '/handover/{job_id}/script/',
    object: '/handover/{job_id}/fetch/',
  }),
  'take-results': endpoint('PUT', 'public', {
    take: '/handover/{job_id}/results/',
    follow: '/handover/{job_id}/output/',
    object: '/handover/{job_id}/send/',
    folder: '/handover/{job_id}/folder/',
  }),
  'read-quotas': endpoint('GET', 'caller', {
    list: '/quotas/[{hpc}/]',
    one: '/quotas/{hpc}/{project_name}/',
    ledger: '/quotas/{hpc}/{project_name}/ledger/',
  }),
  'read-all-quotas': endpoint('GET', 'leader', {
    ofUser: '/admin/quotas/{user_id}/[{hpc}/]',
    one: '/admin/quotas/{user_id}/{hpc}/{project_name}/',
    ledger: '/admin/quotas/{user_id}/{hpc}/{project_name}/ledger/',
    everybody: '/admin/quotas/',
  }),
  'grant-quota': endpoint('PUT', 'leader', {
    grant: '/admin/quotas/{user_id}/{hpc}/{project_name}/',
  }),
  'grant-quotas': endpoint('POST', 'administrator', { grant: '/admin/quotas/' }),
  'remove-quota': endpoint('DELETE', 'leader', {
    remove: '/admin/quotas/{user_id}/{hpc}/{project_name}/',
  }),
  'read-audit': endpoint('GET', 'administrator', { list: '/admin/audit/' }),
  'read-systems': endpoint('GET', 'administrator', { list: '/admin/systems/' }),
  'change-maintenance': endpoint('PUT', 'administrator', {
    announce: '/admin/systems/{hpc}/maintenance/{window_name}/',
    withdraw: '/admin/systems/{hpc}/maintenance/{window_name}/withdraw/',
    pause: '/admin/systems/{hpc}/pause/',
    resume: '/admin/systems/{hpc}/resume/',
  }),
  'read-users': endpoint('GET', 'administrator', {
    list: '/admin/users/',
    one: '/admin/users/{user_id}/',
    accounts: '/admin/users/{user_id}/accounts/',
    account: '/admin/users/{user_id}/accounts/{hpc}/',
    export: '/admin/users/{user_id}/export/',
  }),
  'change-user': endpoint('PUT', 'administrator', {
    ban: '/admin/users/{user_id}/ban/[{hpc}/{project_name}/]',
    map: '/admin/users/{user_id}/accounts/{hpc}/',
  }),
  'clear-user': endpoint('DELETE', 'administrator', {
    unban: '/admin/users/{user_id}/ban/[{hpc}/{project_name}/]',
    unmap: '/admin/users/{user_id}/accounts/{hpc}/',
    erase: '/admin/users/{user_id}/person/',
  }),
  'map-accounts': endpoint('POST', 'administrator', { map: '/admin/accounts/' }),
  'read-all-jobs': endpoint('GET', 'leader', {
    list: '/admin/jobs/[{hpc}/[{project_name}/]]',
    one: '/admin/jobs/{hpc}/{project_name}/{job_id}/',
    timeline: '/admin/jobs/{hpc}/{project_name}/{job_id}/timeline/',
  }),
  'delete-any-job': endpoint('DELETE', 'leader', {
    delete: '/admin/jobs/{hpc}/{project_name}/{job_id}/',
  }),
  'create-request': endpoint('POST', 'caller', { create: '/requests/' }),
  'read-requests': endpoint('GET', 'caller', {
    list: '/requests/',
    one: '/requests/{request_id}/',
  }),
  'withdraw-request': endpoint('DELETE', 'caller', { withdraw: '/requests/{request_id}/' }),
  'read-all-requests': endpoint('GET', 'leader', {
    list: '/admin/requests/',
    one: '/admin/requests/{request_id}/',
  }),
  'decide-request': endpoint('PUT', 'leader', {
    approve: '/admin/requests/{request_id}/approve/',
    decline: '/admin/requests/{request_id}/decline/',
  }),
  'read-usage-report': endpoint('GET', 'leader', { report: '/admin/reports/usage/' }),
  'read-usage': endpoint('GET', 'caller', { report: '/usage/' }),
  'read-webhooks': endpoint('GET', 'caller', {
    list: '/webhooks/',
    one: '/webhooks/{webhook_id}/',
    deliveries: '/webhooks/{webhook_id}/deliveries/',
    notifications: '/notifications/',
  }),
  'create-webhook': endpoint('POST', 'caller', {
    create: '/webhooks/',
    test: '/webhooks/{webhook_id}/test/',
    again: '/webhooks/{webhook_id}/deliveries/{delivery_id}/',
  }),
  'change-notifications': endpoint('PUT', 'caller', { change: '/notifications/' }),
  // The pass in the link authorizes the change (lib/mail/mail-passes.ts).
  'answer-mail': endpoint('POST', 'public', {
    confirm: '/mail/confirm/',
    unsubscribe: '/mail/unsubscribe/',
  }),
  'delete-webhook': endpoint('DELETE', 'caller', { delete: '/webhooks/{webhook_id}/' }),
  'list-systems': endpoint('GET', 'caller', { list: '/hpc/' }),
  'read-projects': endpoint('GET', 'caller', {
    list: '/projects/[{hpc}/]',
    one: '/projects/{hpc}/{project_name}/',
    budget: '/projects/{hpc}/{project_name}/budget/',
    ledger: '/projects/{hpc}/{project_name}/budget/ledger/',
    statement: '/projects/{hpc}/{project_name}/statement/',
  }),
  'open-project': endpoint('PUT', 'administrator', {
    open: '/admin/projects/{hpc}/{any_project_name}/',
    budget: '/admin/projects/{hpc}/{project_name}/budget/',
    leaders: '/admin/projects/{hpc}/{project_name}/leaders/',
  }),
  'close-project': endpoint('DELETE', 'administrator', {
    close: '/admin/projects/{hpc}/{any_project_name}/',
  }),
  'read-status': endpoint('GET', 'public', { read: '/status/' }),
  'read-reference': endpoint('GET', 'public', {
    page: '/docs/',
    script: '/docs/reference.js',
    style: '/docs/reference.css',
    description: '/openapi.json',
    signIn: '/.well-known/oauth-protected-resource',
    confirmPage: '/mail/confirm/',
    unsubscribePage: '/mail/unsubscribe/',
  }),
} as const satisfies EndpointTable;
