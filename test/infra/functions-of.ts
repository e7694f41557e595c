import { routeNames, routes } from '../../functions/routes.ts';
import { type Schedule, schedules } from '../../functions/schedules.ts';
import type { Route } from '../../lib/http/route.ts';
import type { TableUse } from '../../lib/table/table-use.ts';
import { findByPath, type Resource, type Templates } from './synthesize.ts';

/** What a function declares, read from the two lists and from nothing in infra/. */
export interface Declared {
  readonly name: string;
  readonly file: string;
  readonly verifiesTokens: boolean;
  readonly tableUses: readonly TableUse[];
  readonly signsCursors: boolean;
  readonly readsSecrets: boolean;
}

const declaredRoutes: Declared[] = routeNames.map((name) => {
  const { file, access, table, pages }: Route = routes[name];
  return {
    name,
    file,
    verifiesTokens: access !== 'public',
    tableUses: table ? [table] : [],
    signsCursors: pages === true,
    readsSecrets: false,
  };
});

const declaredSchedules: Declared[] = Object.entries<Schedule>(schedules).map(
  ([name, { file, table, secrets }]) => ({
    name,
    file,
    verifiesTokens: false,
    tableUses: [table],
    signsCursors: false,
    readsSecrets: secrets === true,
  }),
);

/** Every function but `$default`. */
export const declaredFunctions = [...declaredRoutes, ...declaredSchedules];

/** `$default` calls the handlers of all routes. */
export const fallback: Declared = {
  name: 'fallback',
  file: 'fallback',
  verifiesTokens: true,
  tableUses: declaredRoutes.flatMap(({ tableUses }) => tableUses),
  signsCursors: true,
  readsSecrets: false,
};

export const allFunctions = [...declaredFunctions, fallback];

export function lambdaOf({ service }: Templates, name: string): Resource {
  return findByPath(service, `${name}/Function/Resource`)[1];
}
