import type { ApiHandler } from '../lib/http/api-handler.ts';
import { gatewayKeys } from '../lib/http/route.ts';

/**
 * The functions under their keys, as infra deploys them. Loaded when called and not before: they
 * read the environment on loading.
 */
export async function loadHandlers(): Promise<ReadonlyMap<string, ApiHandler>> {
  const { handler, handlers } = await import('../functions/fallback.ts');
  const { routes, routeNames } = await import('../functions/routes.ts');
  const held = routeNames.flatMap((name) =>
    gatewayKeys(routes[name]).map((key): [string, ApiHandler] => [key, handlers[name]]),
  );
  return new Map([...held, ['$default', handler]]);
}

/** The function that a schedule calls on AWS. */
export async function loadAdvance(): Promise<() => Promise<void>> {
  const { handler } = await import('../functions/schedules/advance-jobs.ts');
  return handler;
}
