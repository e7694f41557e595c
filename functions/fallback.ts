import { type ApiHandler, refusingHandler } from '../lib/http/api-handler.ts';
import { findRoute } from '../lib/http/route.ts';
import { handler as readUserQuotas } from './admin/read-user-quotas.ts';
import { handler as listSystems } from './catalog/list-systems.ts';
import { handler as readProjects } from './catalog/read-projects.ts';
import { handler as deleteJob } from './jobs/delete-job.ts';
import { handler as readJobs } from './jobs/read-jobs.ts';
import { handler as submitJob } from './jobs/submit-job.ts';
import { handler as readQuotas } from './quotas/read-quotas.ts';
import { type RouteName, routes } from './routes.ts';
import { handler as readStatus } from './status/read-status.ts';

/** Every handler by the name of its route: a route without one does not compile. */
export const handlers: Record<RouteName, ApiHandler> = {
  'read-jobs': readJobs,
  'submit-job': submitJob,
  'delete-job': deleteJob,
  'read-quotas': readQuotas,
  'read-user-quotas': readUserQuotas,
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
  const answer = name === undefined ? refuse : handlers[name];
  return answer(event, context);
};
