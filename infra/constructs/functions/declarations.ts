import type { Listener } from '#functions/listeners.ts';
import { bareRouteNames, routes } from '#functions/routes.ts';
import type { Schedule } from '#functions/schedules.ts';
import type { StreamReader } from '#functions/streams.ts';
import { timeLimits } from '#infra/settings/limits.ts';
import type { FileAction, FileUse } from '#lib/files/file-use.ts';
import type { Route } from '#lib/http/routes/route.ts';
import { type Grant, listGrants } from '#lib/table/table-use.ts';
import { countingGrants, namingGrants } from '#lib/users/table-grants.ts';

/** The part of a function's declaration that decides its environment and role. */
export interface Declaration {
  /** The file under functions/, without its extension. */
  readonly file: string;
  /** Whether it verifies tokens. */
  readonly identity: boolean;
  readonly tableUses: readonly Grant[];
  /** Whether it receives changes of the table. */
  readonly readsStream: boolean;
  readonly files: FileUse;
  /** Whether it signs cursors. */
  readonly pages: boolean;
  /** Whether it checks the passes of jobs. */
  readonly passes: boolean;
  /** Whether it hands over jobs and creates their passes. */
  readonly handsOver: boolean;
  /** Whether it reads the credentials of HPC systems. */
  readonly secrets: boolean;
  /** Whether it sends events to the bus. */
  readonly publishes: boolean;
  /** Whether it calls HPC systems or webhook receivers, not only AWS and the issuer. */
  readonly callsOut: boolean;
  readonly timeoutSeconds: number;
}

const nothing = {
  identity: false,
  tableUses: [],
  readsStream: false,
  files: {},
  pages: false,
  passes: false,
  handsOver: false,
  secrets: false,
  publishes: false,
  callsOut: false,
} as const;

export function declareRoute(route: Route): Declaration {
  const { file, access, table, files = {}, takesLong = false } = route;
  const { pages = false, secrets = false, passes = false } = route;
  return {
    ...nothing,
    file,
    identity: access !== 'public',
    tableUses: table ? listGrants(table) : [],
    files,
    pages,
    passes,
    secrets,
    callsOut: secrets,
    timeoutSeconds: secrets || takesLong ? timeLimits.longAnswer : timeLimits.answer,
  };
}

export function declareSchedule(schedule: Schedule): Declaration {
  return declareWork(schedule);
}

export function declareStream(reader: StreamReader): Declaration {
  const { file, publishes = false } = reader;
  return { ...nothing, file, readsStream: true, publishes, timeoutSeconds: timeLimits.work };
}

export function declareListener(listener: Listener): Declaration {
  return declareWork(listener);
}

function declareWork(work: Schedule | Listener): Declaration {
  const { file, table, files = {}, secrets = false, handsOver = false, pushes = false } = work;
  const callsOut = secrets || pushes;
  const tableUses = listGrants(table);
  const timeoutSeconds = secrets ? timeLimits.workOnSystem : timeLimits.work;
  return { ...nothing, file, tableUses, files, secrets, handsOver, callsOut, timeoutSeconds };
}

/**
 * Declares `$default`. It calls the handlers of bare routes, so it gets the union of their
 * permissions.
 */
export function declareFallback(): Declaration {
  const all = bareRouteNames.map((name) => declareRoute(routes[name]));
  return {
    ...nothing,
    file: 'fallback',
    identity: all.some(({ identity }) => identity),
    tableUses: dropCovered(all.flatMap(({ tableUses }) => tableUses)),
    files: uniteFiles(all.map(({ files }) => files)),
    pages: all.some(({ pages }) => pages),
    passes: all.some(({ passes }) => passes),
    secrets: all.some(({ secrets }) => secrets),
    callsOut: all.some(({ callsOut }) => callsOut),
    timeoutSeconds: Math.max(...all.map(({ timeoutSeconds }) => timeoutSeconds)),
  };
}

/** Adds permission to look up callers in the table, if the service assigns user numbers. */
export function letNameCallers(declaration: Declaration): Declaration {
  const { identity, tableUses } = declaration;
  return identity ? { ...declaration, tableUses: [...tableUses, ...namingGrants] } : declaration;
}

/** Adds permission to count calls per caller, if the function uses the table anyway. */
export function letCountCalls(declaration: Declaration): Declaration {
  const { identity, tableUses } = declaration;
  return identity && tableUses.length > 0
    ? { ...declaration, tableUses: [...tableUses, ...countingGrants] }
    : declaration;
}

/** Drops grants that another grant covers. Of two equal grants, the first stays. */
export function dropCovered(uses: readonly Grant[]): Grant[] {
  return uses.filter(
    (use, index) =>
      !uses.some(
        (other, place) =>
          place !== index && covers(other, use) && (place < index || !covers(use, other)),
      ),
  );
}

function covers(wide: Grant, narrow: Grant): boolean {
  return (
    narrow.actions.every((action) => wide.actions.includes(action)) &&
    narrow.partitions.every((kind) => wide.partitions.includes(kind))
  );
}

/** Unites actions per bucket, because an action on one bucket must not allow it on the other. */
export function uniteFiles(uses: readonly FileUse[]): FileUse {
  return {
    inputs: uniteActions(uses.map(({ inputs = [] }) => inputs)),
    results: uniteActions(uses.map(({ results = [] }) => results)),
  };
}

function uniteActions(lists: readonly (readonly FileAction[])[]): FileAction[] {
  return [...new Set(lists.flat())].sort();
}
