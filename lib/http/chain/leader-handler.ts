import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isLeader } from '#lib/budgets/led-projects.ts';
import { isProjectName, isRequestId, isSystemName } from '#lib/catalog/identifiers.ts';
import { findProjectsByNumber } from '#lib/projects/find-project.ts';
import { requestFromItem } from '#lib/requests/quota-request.ts';
import { type ProjectKey, quotaRequestKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { NotAdministratorError } from '../errors.ts';
import type { EndpointTable, MatchedPath } from '../routes/route.ts';
import { type ApiContext, callerOf, matchedOf } from './api-context.ts';
import {
  type DescribedHandler,
  knowingHandler,
  type NamesOf,
  type OperationsOf,
} from './api-handler.ts';

/**
 * Builds the chain of an endpoint for administrators, and for leaders of the project that a request
 * names.
 */
export function leaderHandler<E extends EndpointTable, Name extends NamesOf<E, 'leader'>>(
  endpoints: E,
  name: Name,
  table: Table,
  operations: OperationsOf<E[Name], 'callers'>,
): DescribedHandler {
  const lookups = { findProject: findProjectsByNumber(table), admit: admitLeaders(table) };
  return knowingHandler(endpoints, name, operations, lookups);
}

/**
 * Admits administrators, and leaders to what is about their project alone. Everybody else gets the
 * answer of a stranger, whether the project, the request or the user exists or not.
 */
function admitLeaders(
  table: Table,
): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  return {
    before: async function admitLeadersBefore({ event, context }) {
      const { administrator, userId: user } = callerOf(context);
      if (administrator) return;
      const project = await findNamed(table, matchedOf(context), event.rawQueryString);
      if (!project || !(await isLeader(table, { user, ...project }))) {
        throw new NotAdministratorError();
      }
    },
  };
}

/**
 * Finds the one project that a request is about: that of its path, of the request for more that the
 * path names, or of its query. A path that could name a project and does not is about several.
 */
async function findNamed(
  table: Table,
  { path, values }: MatchedPath,
  rawQueryString: string,
): Promise<ProjectKey | undefined> {
  const { request_id: request, hpc, project_name: project } = values;
  if (request !== undefined) return findRequested(table, request);
  if (path.includes('{hpc}')) return nameProject(hpc, project);
  const query = new URLSearchParams(rawQueryString);
  const projects = [...query.getAll('project'), ...query.getAll('project_name')];
  return nameProject(only(query.getAll('hpc')), only(projects));
}

async function findRequested(table: Table, id: string): Promise<ProjectKey | undefined> {
  if (!isRequestId(id)) return undefined;
  const request = await readItem(table, quotaRequestKey(id), requestFromItem);
  return request && { hpc: request.project.hpc, project: request.project.name };
}

function nameProject(hpc?: string, project?: string): ProjectKey | undefined {
  return isSystemName(hpc) && isProjectName(project) ? { hpc, project } : undefined;
}

/** A parameter that is given twice names nothing. */
function only(values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined;
}
