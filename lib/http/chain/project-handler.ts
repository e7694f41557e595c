import { findProjectsByNumber, findProjectsNow } from '#lib/projects/find-project.ts';
import type { Table } from '#lib/table/table.ts';
import type { EndpointTable } from '../routes/route.ts';
import {
  type DescribedHandler,
  type KnownAccess,
  knowingHandler,
  type NamesOf,
  type OperationsOf,
} from './api-handler.ts';

/** Builds the chain of an endpoint whose paths name projects, and needs only name and number. */
export function projectHandler<E extends EndpointTable, Name extends NamesOf<E, KnownAccess>>(
  endpoints: E,
  name: Name,
  table: Table,
  operations: OperationsOf<E[Name], 'callers'>,
): DescribedHandler {
  return knowingHandler(endpoints, name, operations, { findProject: findProjectsByNumber(table) });
}

/** Builds the same chain with the current state of the project: whether it is closed, its limits. */
export function currentProjectHandler<
  E extends EndpointTable,
  Name extends NamesOf<E, KnownAccess>,
>(
  endpoints: E,
  name: Name,
  table: Table,
  operations: OperationsOf<E[Name], 'callers'>,
): DescribedHandler {
  return knowingHandler(endpoints, name, operations, { findProject: findProjectsNow(table) });
}
