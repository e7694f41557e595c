import { findProjectsByNumber, findProjectsNow } from '#lib/projects/find-project.ts';
import type { Table } from '#lib/table/table.ts';
import {
  type DescribedHandler,
  type KnowingEndpoint,
  knowingHandler,
  type OperationsOf,
} from '../chain/api-handler.ts';
import type { EndpointTable } from '../routes/route.ts';

/** The chain of an endpoint whose paths name projects: it needs their names and numbers alone. */
export function projectHandler<E extends KnowingEndpoint>(
  endpoints: EndpointTable,
  endpoint: E,
  table: Table,
  operations: OperationsOf<E, 'callers'>,
): DescribedHandler {
  return knowingHandler(endpoints, endpoint, operations, findProjectsByNumber(table));
}

/** The same for one that goes by how a project stands now: whether it is closed, and its limits. */
export function currentProjectHandler<E extends KnowingEndpoint>(
  endpoints: EndpointTable,
  endpoint: E,
  table: Table,
  operations: OperationsOf<E, 'callers'>,
): DescribedHandler {
  return knowingHandler(endpoints, endpoint, operations, findProjectsNow(table));
}
