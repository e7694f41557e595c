import type { RouteName } from '#functions/routes.ts';
import type { ScheduleName } from '#functions/schedules.ts';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import type { SweepCall } from '#lib/jobs/run/sweep/sweep.ts';
import type { CallContext, LoadedListener } from './stream/call-listeners.ts';
import type { LoadedReader } from './stream/follow-stream.ts';

/**
 * Loads the functions by route key, as infra deploys them. Import lazily, because functions read
 * the environment on loading.
 */
export async function loadHandlers(): Promise<ReadonlyMap<string, ApiHandler>> {
  const { routes, routeNames } = await import('#functions/routes.ts');
  const held = await Promise.all(
    routeNames.map(async (name) => {
      const handler = await loadRoute(name);
      return gatewayKeys(routes[name]).map((key): [string, ApiHandler] => [key, handler]);
    }),
  );
  return new Map([...held.flat(), ['$default', await loadFallback()]]);
}

/** Loads the function of one route key. */
export async function loadHandler(key: string): Promise<ApiHandler> {
  const { routes, routeNames } = await import('#functions/routes.ts');
  const name = routeNames.find((each) => gatewayKeys(routes[each]).includes(key));
  return name === undefined ? loadFallback() : loadRoute(name);
}

export async function loadRoute(name: RouteName): Promise<ApiHandler> {
  const { routes } = await import('#functions/routes.ts');
  const { handler } = await importFunction(routes[name].file);
  return handler;
}

/** Loads `$default` with the handlers that are deployed with it. */
export async function loadFallback(): Promise<ApiHandler> {
  const { fallbackHandler } = await import('#functions/fallback.ts');
  const { bareRouteNames } = await import('#functions/routes.ts');
  const handlers = await Promise.all(
    bareRouteNames.map(
      async (name): Promise<[string, ApiHandler]> => [name, await loadRoute(name)],
    ),
  );
  return fallbackHandler(bareRouteNames, async () => ({ handlers: Object.fromEntries(handlers) }));
}

/** A loaded function of functions/schedules.ts, bound to its input. */
export interface LoadedSchedule {
  readonly name: ScheduleName;
  call(context: CallContext): Promise<void>;
}

/** Only measure and check, for operators on AWS. */
const elsewhere: ReadonlySet<string> = new Set(['measure-queue', 'reconcile-accounts']);

/** Lists the scheduled functions that a service on one machine runs. */
export async function listSchedules(): Promise<ScheduleName[]> {
  const { scheduleNames } = await import('#functions/schedules.ts');
  return scheduleNames.filter((name) => !elsewhere.has(name));
}

/** Loads the scheduled functions that a service on one machine needs. */
export async function loadSchedules(): Promise<LoadedSchedule[]> {
  const { catalog } = await import('#lib/catalog/catalog.ts');
  const { listSweepCalls } = await import('#lib/jobs/run/sweep/sweep.ts');
  const sweeps = listSweepCalls(catalog.systems).map((call) => loadSchedule('track-jobs', call));
  const { schedules } = await import('#functions/schedules.ts');
  const others = (await listSchedules())
    .filter((name) => !('perSystem' in schedules[name]))
    .map((name) => loadSchedule(name));
  return Promise.all([...sweeps, ...others]);
}

export async function loadSchedule(name: ScheduleName, told?: SweepCall): Promise<LoadedSchedule> {
  const { schedules } = await import('#functions/schedules.ts');
  const { handler } = await importFunction(schedules[name].file);
  return { name, call: (context) => handler(told, context) };
}

/** Loads the functions that the table's stream calls on AWS. */
export async function loadStreamReaders(): Promise<LoadedReader[]> {
  const { streams } = await import('#functions/streams.ts');
  return Promise.all(
    Object.entries(streams).map(async ([name, { file, filters }]) => {
      const { handler } = await importFunction(file);
      return { name, filters, handler };
    }),
  );
}

/** Loads the functions that the bus calls on AWS. */
export async function loadListeners(): Promise<LoadedListener[]> {
  const { listeners } = await import('#functions/listeners.ts');
  return Promise.all(
    Object.entries(listeners).map(async ([name, { file, source }]) => {
      const { handler } = await importFunction(file);
      return { name, source, handler };
    }),
  );
}

/** Loads a function by its file. The computed URL keeps bundlers from including all of them. */
function importFunction(file: string) {
  return import(new URL(`../functions/${file}.ts`, import.meta.url).href);
}

/** Lets /status/ check that the table can be written, because reads still work on a full disk. */
export async function tellOfFullDisk(
  handlers: ReadonlyMap<string, ApiHandler>,
  canWrite: () => boolean,
): Promise<ReadonlyMap<string, ApiHandler>> {
  const unavailable = await loadUnavailable();
  const guard =
    (handler: ApiHandler): ApiHandler =>
    (event, context) =>
      /^\/+status\/*$/.test(event.rawPath) && !canWrite()
        ? unavailable(event, context)
        : handler(event, context);
  return new Map([...handlers].map(([key, handler]) => [key, guard(handler)]));
}

/** Loads the answer of /status/ for an unreachable table, with the functions' environment. */
async function loadUnavailable(): Promise<ApiHandler> {
  const { endpoints } = await import('#functions/endpoints.ts');
  const { publicHandler } = await import('#lib/http/chain/api-handler.ts');
  const { answerAnybody } = await import('#lib/http/chain/operation.ts');
  const { TableUnavailableError } = await import('#lib/table/errors.ts');
  return publicHandler(endpoints, 'read-status', {
    read: answerAnybody({ query: 'ignored' }, async () => {
      throw new TableUnavailableError();
    }),
  });
}
