import { type ApiHandler, refusingHandler } from '#lib/http/chain/api-handler.ts';
import { findRoute } from '#lib/http/routes/route.ts';
import { handler as readAllJobs } from './admin/read-all-jobs.ts';
import { handler as readAudit } from './admin/read-audit.ts';
import { handler as readAllQuotas } from './admin/read-quotas.ts';
import { handler as readUsers } from './admin/read-users.ts';
import { handler as listSystems } from './catalog/list-systems.ts';
import { handler as readProjects } from './catalog/read-projects.ts';
import { handler as readJobs } from './jobs/read-jobs.ts';
import { handler as readQuotas } from './quotas/read-quotas.ts';
import { type BareRouteName, isBareRouteName, routes } from './routes.ts';
import { handler as readStatus } from './status/read-status.ts';
import { handler as createUpload } from './uploads/create-upload.ts';
import { handler as createWebhook } from './webhooks/create-webhook.ts';
import { handler as readWebhooks } from './webhooks/read-webhooks.ts';

/** The handlers of what a gateway may miss a key for: a route without one does not compile. */
const handlers: Record<BareRouteName, ApiHandler> = {
  'read-jobs': readJobs,
  'create-upload': createUpload,
  'read-quotas': readQuotas,
  'read-users': readUsers,
  'read-all-quotas': readAllQuotas,
  'read-audit': readAudit,
  'read-all-jobs': readAllJobs,
  'read-webhooks': readWebhooks,
  'create-webhook': createWebhook,
  'list-systems': listSystems,
  'read-projects': readProjects,
  'read-status': readStatus,
};

const refuse = refusingHandler(routes);

/**
 * `$default`: whatever the gateway found no key for. A path that it missed only for its slash goes
 * to the handler it belongs to, the rest is refused in the one shape of errors.
 */
export const handler: ApiHandler = async (event, context) => {
  const name = findRoute(routes, event.requestContext.http.method, event.rawPath);
  const answer = name !== undefined && isBareRouteName(name) ? handlers[name] : refuse;
  return answer(event, context);
};
