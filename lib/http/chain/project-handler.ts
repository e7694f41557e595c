import { findProjectsByNumber, findProjectsNow } from '#lib/projects/find-project.ts';
import type { Table } from '#lib/table/table.ts';
import type { EndpointTable } from '../routes/route.ts';
import {
  type DescribedHandler,
  type KnowingEndpoint,
  knowingHandler,
  type OperationsOf,
} from './api-handler.ts';

/** Builds the chain of an endpoint whose paths name projects, and needs only name and number. */
export function projectHandler<E extends KnowingEndpoint>(
  endpoints: EndpointTable,
  endpoint: E,
  table: Table,
  operations: OperationsOf<E, 'callers'>,
): DescribedHandler {
  return knowingHandler(endpoints, endpoint, operations, findProjectsByNumber(table));
}

/** Builds the same chain with the current state of the project: whether it is closed, its limits. */
export function currentProjectHandler<E extends KnowingEndpoint>(
  endpoints: EndpointTable,
  endpoint: E,
  table: Table,
  operations: OperationsOf<E, 'callers'>,
): DescribedHandler {
  return knowingHandler(endpoints, endpoint, operations, findProjectsNow(table));
}
