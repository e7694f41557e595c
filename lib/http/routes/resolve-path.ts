import { type Catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import { isJobId, isRequestId, isUserId } from '#lib/catalog/identifiers.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import { RequestNotFoundError } from '#lib/requests/errors.ts';
import { WebhookNotFoundError } from '#lib/webhooks/errors.ts';
import { isWebhookId } from '#lib/webhooks/webhook.ts';
import { PathNotFoundError } from '../errors.ts';
import { compilePath } from './compile-path.ts';
import type { PathOf } from './route.ts';

/** Names in a path become what they name, or a 404. */
export function resolvePath<Path extends string>(
  catalog: Catalog,
  path: Path,
  values: Readonly<Record<string, string>>,
): PathOf<Path> {
  const { hpc, project_name: project, user_id: user, job_id, ...others } = values;
  const { webhook_id: webhook, request_id: request } = others;
  const system = hpc === undefined ? undefined : findSystem(catalog, hpc);
  if (user !== undefined && !isUserId(user)) throw new PathNotFoundError();
  if (job_id !== undefined && !isJobId(job_id)) throw new JobNotFoundError();
  if (webhook !== undefined && !isWebhookId(webhook)) throw new WebhookNotFoundError();
  if (request !== undefined && !isRequestId(request)) throw new RequestNotFoundError();
  const resolved = {
    ...others,
    ...(system && { hpc: system }),
    ...(system && project !== undefined && { project_name: findProject(system, project) }),
    ...(job_id !== undefined && { job_id }),
    ...(user !== undefined && { user_id: user }),
  };
  assertPath(path, resolved);
  return resolved;
}

/** Matching filled every name outside of brackets; the type says so from here on. */
function assertPath<Path extends string>(
  path: Path,
  resolved: object,
): asserts resolved is PathOf<Path> {
  for (const name of compilePath(path).requiredNames) {
    if (!(name in resolved)) throw new PathNotFoundError();
  }
}
