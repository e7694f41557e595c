import type { RouteName } from '#functions/routes.ts';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import type { CallContext } from './calls/call-context.ts';
import type { LoadedListener } from './event-bus/call-listeners.ts';
import type { LoadedReader } from './stream/follow-stream.ts';

/**
 * The functions under their keys, as infra deploys them. Loaded when called and not before: they
 * read the environment on loading.
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

export async function loadRoute(name: RouteName): Promise<ApiHandler> {
  const { routes } = await import('#functions/routes.ts');
  const { handler } = await importFunction(routes[name].file);
  return handler;
}

/** `$default`, with the handlers that it is deployed with. */
export async function loadFallback(): Promise<ApiHandler> {
  const { fallbackHandler } = await import('#functions/fallback.ts');
  const { bareRouteNames } = await import('#functions/routes.ts');
  const handlers = await Promise.all(
    bareRouteNames.map(
      async (name): Promise<[string, ApiHandler]> => [name, await loadRoute(name)],
    ),
  );
  return fallbackHandler(Object.fromEntries(handlers));
}

/** One call of a function by the clock. */
export type ClockCall = (context: CallContext) => Promise<void>;

/** The functions that the clock calls on AWS, without those that only measure and check. */
export async function loadSchedules(): Promise<ClockCall[]> {
  const { catalog } = await import('#lib/catalog/catalog.ts');
  const { listSweepCalls } = await import('#lib/jobs/run/sweep/sweep.ts');
  const { handler: trackJobs } = await import('#functions/schedules/track-jobs.ts');
  const { handler: deliverWebhooks } = await import('#functions/schedules/deliver-webhooks.ts');
  const { handler: attendQuotas } = await import('#functions/schedules/attend-quotas.ts');
  const { handler: removeUploads } = await import('#functions/schedules/remove-uploads.ts');
  const sweeps = listSweepCalls(catalog.systems).map(
    (call): ClockCall =>
      (context) =>
        trackJobs(call, context),
  );
  return [...sweeps, () => deliverWebhooks(), () => attendQuotas(), () => removeUploads()];
}

/** The functions that the table's stream calls on AWS. */
export async function loadStreamReaders(): Promise<LoadedReader[]> {
  const { streams } = await import('#functions/streams.ts');
  return Promise.all(
    Object.entries(streams).map(async ([name, { file, filters }]) => {
      const { handler } = await importFunction(file);
      return { name, filters, handler };
    }),
  );
}

/** The functions that the bus calls on AWS. */
export async function loadListeners(): Promise<LoadedListener[]> {
  const { listeners } = await import('#functions/listeners.ts');
  return Promise.all(
    Object.entries(listeners).map(async ([name, { file, source }]) => {
      const { handler } = await importFunction(file);
      return { name, source, handler };
    }),
  );
}

/** By its name in a list. Under a whole address, because a bundler would want to know all of them. */
function importFunction(file: string) {
  return import(new URL(`../functions/${file}.ts`, import.meta.url).href);
}
