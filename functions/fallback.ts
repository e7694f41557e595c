import { type ApiHandler, refusingHandler } from '#lib/http/chain/api-handler.ts';
import { findRoute } from '#lib/http/routes/route.ts';
import { endpoints } from './endpoints.ts';

/**
 * `$default`: whatever the gateway found no key for. A path that it missed only for its slash goes
 * to the handler it belongs to, of those that are given; the rest is refused in the one shape of
 * errors.
 */
export function fallbackHandler(handlers: Readonly<Record<string, ApiHandler>>): ApiHandler {
  const refuse = refusingHandler(endpoints);
  return async (event, context) => {
    const name = findRoute(endpoints, event.requestContext.http.method, event.rawPath) ?? '';
    return (handlers[name] ?? refuse)(event, context);
  };
}
