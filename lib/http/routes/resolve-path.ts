import { BatchNotFoundError } from '#lib/batches/errors.ts';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import {
  isBatchId,
  isJobId,
  isProjectName,
  isRequestId,
  isUploadId,
  isUserId,
  isWebhookId,
  type ProjectName,
  type SystemName,
} from '#lib/catalog/identifiers.ts';
import { UploadGoneError } from '#lib/files/errors.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import type { FindProject } from '#lib/projects/find-project.ts';
import { RequestNotFoundError } from '#lib/requests/errors.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import { WebhookNotFoundError } from '#lib/webhooks/errors.ts';
import { InvalidRequestError, PathNotFoundError } from '../errors.ts';
import { compilePath, type PathOf } from './route.ts';

export interface NamedThings {
  readonly catalog: Catalog;
  /** Undefined if no path of the endpoint names a project. */
  readonly findProject?: FindProject | undefined;
}

/** Replaces the names in a path by what they name, or throws a 404. */
export async function resolvePath<Path extends string>(
  { catalog, findProject }: NamedThings,
  path: Path,
  values: Readonly<Record<string, string>>,
): Promise<PathOf<Path>> {
  const { hpc, project_name: project, user_id: user, job_id, ...others } = values;
  const { any_project_name: anyProject } = others;
  if (user !== undefined && !isUserId(user)) throw new PathNotFoundError();
  const system = hpc === undefined ? undefined : findSystem(catalog, hpc);
  if (job_id !== undefined && !isJobId(job_id)) throw new JobNotFoundError();
  checkIds(others);
  if (anyProject !== undefined) assertProjectName(anyProject);
  if (others.window_name !== undefined) checkWindowName(others.window_name);
  const resolved = {
    ...others,
    ...(system && { hpc: system }),
    ...(system &&
      findProject &&
      project !== undefined && { project_name: await findProject(system, project) }),
    ...(job_id !== undefined && { job_id }),
    ...(user !== undefined && { user_id: user }),
  };
  assertPath(path, resolved);
  return resolved;
}

/** Throws a 404 for text that cannot be the id of anything, so it is never looked up. */
function checkIds(values: Readonly<Record<string, string>>): void {
  const { batch_id: batch, webhook_id: webhook, request_id: request, upload_id: upload } = values;
  if (batch !== undefined && !isBatchId(batch)) throw new BatchNotFoundError();
  if (webhook !== undefined && !isWebhookId(webhook)) throw new WebhookNotFoundError();
  if (request !== undefined && !isRequestId(request)) throw new RequestNotFoundError();
  if (upload !== undefined && !isUploadId(upload)) throw new UploadGoneError();
}

/** Throws a 400 if no project could have this name. The project need not exist. */
function assertProjectName(name: string): asserts name is ProjectName {
  if (isProjectName(name)) return;
  const message =
    "It must start with a lower-case letter and have at most 63 lower-case letters, digits and '_'.";
  throw new InvalidRequestError([{ location: 'path', name: 'project_name', message }]);
}

/** Throws a 400 if no window may have this name. */
function checkWindowName(name: string): void {
  if (/^[a-z0-9][a-z0-9_-]{0,62}$/.test(name)) return;
  const message =
    "It must have at most 63 lower-case letters, digits, '-' and '_', and start with a letter or digit.";
  throw new InvalidRequestError([{ location: 'path', name: 'window_name', message }]);
}

/** Tells the compiler that every name outside of brackets is there. */
function assertPath<Path extends string>(
  path: Path,
  resolved: object,
): asserts resolved is PathOf<Path> {
  for (const name of compilePath(path).requiredNames) {
    if (!(name in resolved)) throw new PathNotFoundError();
  }
}

type WholePath = PathOf<'/{hpc}/{project_name}/'>;
type AnyPath = PathOf<'/[{hpc}/[{project_name}/]]'>;

/** Selects one project, all projects of a system, or all. */
export interface AnyProject {
  readonly hpc: SystemName | undefined;
  readonly project: ProjectName | undefined;
}

/** Returns the names of the system and project in a path, undefined if the path leaves them out. */
export function projectAt(path: WholePath): ProjectKey;
export function projectAt(path: AnyPath): AnyProject;
export function projectAt({ hpc, project_name: project }: AnyPath): AnyProject {
  return { hpc: hpc?.name, project: project?.name };
}
