import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { handler as banUser } from './admin/ban-user.ts';
import { handler as cancelJob } from './admin/cancel-job.ts';
import { handler as grantQuota } from './admin/grant-quota.ts';
import { handler as readAllJobs } from './admin/read-all-jobs.ts';
import { handler as readAudit } from './admin/read-audit.ts';
import { handler as readAllQuotas } from './admin/read-quotas.ts';
import { handler as readUsers } from './admin/read-users.ts';
import { handler as removeQuota } from './admin/remove-quota.ts';
import { handler as unbanUser } from './admin/unban-user.ts';
import { handler as listSystems } from './catalog/list-systems.ts';
import { handler as readProjects } from './catalog/read-projects.ts';
import { handler as readFiles } from './files/read-files.ts';
import { handler as deleteJob } from './jobs/delete-job.ts';
import { handler as readJobs } from './jobs/read-jobs.ts';
import { handler as submitJob } from './jobs/submit-job.ts';
import { handler as readQuotas } from './quotas/read-quotas.ts';
import type { RouteName } from './routes.ts';
import { handler as readStatus } from './status/read-status.ts';
import { handler as createUpload } from './uploads/create-upload.ts';
import { handler as createWebhook } from './webhooks/create-webhook.ts';
import { handler as deleteWebhook } from './webhooks/delete-webhook.ts';
import { handler as readWebhooks } from './webhooks/read-webhooks.ts';

/** Every handler by the name of its route: a route without one does not compile. */
export const handlers: Record<RouteName, ApiHandler> = {
  'read-jobs': readJobs,
  'submit-job': submitJob,
  'create-upload': createUpload,
  'delete-job': deleteJob,
  'read-files': readFiles,
  'read-quotas': readQuotas,
  'read-all-quotas': readAllQuotas,
  'grant-quota': grantQuota,
  'remove-quota': removeQuota,
  'read-audit': readAudit,
  'read-users': readUsers,
  'ban-user': banUser,
  'unban-user': unbanUser,
  'read-all-jobs': readAllJobs,
  'cancel-job': cancelJob,
  'read-webhooks': readWebhooks,
  'create-webhook': createWebhook,
  'delete-webhook': deleteWebhook,
  'list-systems': listSystems,
  'read-projects': readProjects,
  'read-status': readStatus,
};
