import type { EndpointTable } from '#lib/http/routes/route.ts';

/**
 * Lists all endpoints as clients see them: paths, methods and who may call. It is part of every
 * bundle, so that each function can answer 405 with the allowed methods of a path. Details for the
 * deployment and the tests are in routes.ts.
 */
export const endpoints = {
  'read-jobs': {
    method: 'GET',
    paths: {
      list: '/jobs/[{hpc}/[{project_name}/]]',
      one: '/jobs/{hpc}/{project_name}/{job_id}/',
      timeline: '/jobs/{hpc}/{project_name}/{job_id}/timeline/',
    },
    access: 'caller',
  },
  'submit-job': {
    method: 'POST',
    paths: { submit: '/jobs/{hpc}/[{project_name}/]' },
    access: 'caller',
  },
  'submit-batch': {
    method: 'POST',
    paths: {
      submit: '/batches/{hpc}/[{project_name}/]',
      again: '/batches/{hpc}/{project_name}/{batch_id}/failed/',
    },
    access: 'caller',
  },
  'read-batches': {
    method: 'GET',
    paths: {
      list: '/batches/[{hpc}/[{project_name}/]]',
      one: '/batches/{hpc}/{project_name}/{batch_id}/',
    },
    access: 'caller',
  },
  'delete-batch': {
    method: 'DELETE',
    paths: { delete: '/batches/{hpc}/{project_name}/{batch_id}/' },
    access: 'caller',
  },
  'create-upload': {
    method: 'POST',
    paths: { create: '/uploads/' },
    access: 'caller',
  },
  'delete-job': {
    method: 'DELETE',
    paths: { delete: '/jobs/{hpc}/{project_name}/{job_id}/' },
    access: 'caller',
  },
  'read-files': {
    method: 'GET',
    paths: {
      list: '/files/{hpc}/{project_name}/{job_id}/',
      one: '/files/{hpc}/{project_name}/{job_id}/{file_id}/',
      ofBatch: '/results/{hpc}/{project_name}/{batch_id}/',
    },
    access: 'caller',
  },
  'hand-out-input': {
    method: 'GET',
    paths: {
      input: '/handover/{job_id}/input/',
      script: '/handover/{job_id}/script/',
    },
    // The pass in the URL authorizes the job (lib/jobs/passes).
    access: 'public',
  },
  'take-results': {
    method: 'PUT',
    paths: {
      take: '/handover/{job_id}/results/',
      follow: '/handover/{job_id}/output/',
    },
    access: 'public',
  },
  'read-quotas': {
    method: 'GET',
    paths: {
      list: '/quotas/[{hpc}/]',
      one: '/quotas/{hpc}/{project_name}/',
      ledger: '/quotas/{hpc}/{project_name}/ledger/',
    },
    access: 'caller',
  },
  'read-all-quotas': {
    method: 'GET',
    paths: {
      ofUser: '/admin/quotas/{user_id}/[{hpc}/]',
      one: '/admin/quotas/{user_id}/{hpc}/{project_name}/',
      ledger: '/admin/quotas/{user_id}/{hpc}/{project_name}/ledger/',
      everybody: '/admin/quotas/',
    },
    access: 'leader',
  },
  'grant-quota': {
    method: 'PUT',
    paths: { grant: '/admin/quotas/{user_id}/{hpc}/{project_name}/' },
    access: 'leader',
  },
  'grant-quotas': {
    method: 'POST',
    paths: { grant: '/admin/quotas/' },
    access: 'administrator',
  },
  'remove-quota': {
    method: 'DELETE',
    paths: { remove: '/admin/quotas/{user_id}/{hpc}/{project_name}/' },
    access: 'leader',
  },
  'read-audit': {
    method: 'GET',
    paths: { list: '/admin/audit/' },
    access: 'administrator',
  },
  'read-systems': {
    method: 'GET',
    paths: { list: '/admin/systems/' },
    access: 'administrator',
  },
  'change-maintenance': {
    method: 'PUT',
    paths: {
      announce: '/admin/systems/{hpc}/maintenance/{window_name}/',
      withdraw: '/admin/systems/{hpc}/maintenance/{window_name}/withdraw/',
      pause: '/admin/systems/{hpc}/pause/',
      resume: '/admin/systems/{hpc}/resume/',
    },
    access: 'administrator',
  },
  'read-users': {
    method: 'GET',
    paths: {
      list: '/admin/users/',
      one: '/admin/users/{user_id}/',
      accounts: '/admin/users/{user_id}/accounts/',
      account: '/admin/users/{user_id}/accounts/{hpc}/',
    },
    access: 'administrator',
  },
  'change-user': {
    method: 'PUT',
    paths: {
      ban: '/admin/users/{user_id}/ban/[{hpc}/{project_name}/]',
      map: '/admin/users/{user_id}/accounts/{hpc}/',
    },
    access: 'administrator',
  },
  'clear-user': {
    method: 'DELETE',
    paths: {
      unban: '/admin/users/{user_id}/ban/[{hpc}/{project_name}/]',
      unmap: '/admin/users/{user_id}/accounts/{hpc}/',
    },
    access: 'administrator',
  },
  'map-accounts': {
    method: 'POST',
    paths: { map: '/admin/accounts/' },
    access: 'administrator',
  },
  'read-all-jobs': {
    method: 'GET',
    paths: {
      list: '/admin/jobs/[{hpc}/[{project_name}/]]',
      one: '/admin/jobs/{hpc}/{project_name}/{job_id}/',
      timeline: '/admin/jobs/{hpc}/{project_name}/{job_id}/timeline/',
    },
    access: 'leader',
  },
  'delete-any-job': {
    method: 'DELETE',
    paths: { delete: '/admin/jobs/{hpc}/{project_name}/{job_id}/' },
    access: 'leader',
  },
  'create-request': {
    method: 'POST',
    paths: { create: '/requests/' },
    access: 'caller',
  },
  'read-requests': {
    method: 'GET',
    paths: { list: '/requests/', one: '/requests/{request_id}/' },
    access: 'caller',
  },
  'withdraw-request': {
    method: 'DELETE',
    paths: { withdraw: '/requests/{request_id}/' },
    access: 'caller',
  },
  'read-all-requests': {
    method: 'GET',
    paths: { list: '/admin/requests/', one: '/admin/requests/{request_id}/' },
    access: 'leader',
  },
  'decide-request': {
    method: 'PUT',
    paths: {
      approve: '/admin/requests/{request_id}/approve/',
      decline: '/admin/requests/{request_id}/decline/',
    },
    access: 'leader',
  },
  'read-usage-report': {
    method: 'GET',
    paths: { report: '/admin/reports/usage/' },
    access: 'leader',
  },
  'read-usage': {
    method: 'GET',
    paths: { report: '/usage/' },
    access: 'caller',
  },
  'read-webhooks': {
    method: 'GET',
    paths: {
      list: '/webhooks/',
      one: '/webhooks/{webhook_id}/',
      deliveries: '/webhooks/{webhook_id}/deliveries/',
      notifications: '/notifications/',
    },
    access: 'caller',
  },
  'create-webhook': {
    method: 'POST',
    paths: {
      create: '/webhooks/',
      test: '/webhooks/{webhook_id}/test/',
      again: '/webhooks/{webhook_id}/deliveries/{delivery_id}/',
    },
    access: 'caller',
  },
  'change-notifications': {
    method: 'PUT',
    paths: { change: '/notifications/' },
    access: 'caller',
  },
  'answer-mail': {
    method: 'POST',
    paths: { confirm: '/mail/confirm/', unsubscribe: '/mail/unsubscribe/' },
    // The pass in the link authorizes the change (lib/mail/mail-passes.ts).
    access: 'public',
  },
  'delete-webhook': {
    method: 'DELETE',
    paths: { delete: '/webhooks/{webhook_id}/' },
    access: 'caller',
  },
  'list-systems': {
    method: 'GET',
    paths: { list: '/hpc/' },
    access: 'caller',
  },
  'read-projects': {
    method: 'GET',
    paths: {
      list: '/projects/[{hpc}/]',
      one: '/projects/{hpc}/{project_name}/',
      budget: '/projects/{hpc}/{project_name}/budget/',
      ledger: '/projects/{hpc}/{project_name}/budget/ledger/',
      statement: '/projects/{hpc}/{project_name}/statement/',
    },
    access: 'caller',
  },
  'open-project': {
    method: 'PUT',
    paths: {
      open: '/admin/projects/{hpc}/{any_project_name}/',
      budget: '/admin/projects/{hpc}/{project_name}/budget/',
      leaders: '/admin/projects/{hpc}/{project_name}/leaders/',
    },
    access: 'administrator',
  },
  'close-project': {
    method: 'DELETE',
    paths: { close: '/admin/projects/{hpc}/{any_project_name}/' },
    access: 'administrator',
  },
  'read-status': {
    method: 'GET',
    paths: { read: '/status/' },
    access: 'public',
  },
  'read-reference': {
    method: 'GET',
    paths: {
      page: '/docs/',
      script: '/docs/reference.js',
      style: '/docs/reference.css',
      description: '/openapi.json',
      signIn: '/.well-known/oauth-protected-resource',
      confirmPage: '/mail/confirm/',
      unsubscribePage: '/mail/unsubscribe/',
    },
    access: 'public',
  },
} as const satisfies EndpointTable;
