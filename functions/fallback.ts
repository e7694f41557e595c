import { type ApiHandler, refusingHandler } from '#lib/http/chain/api-handler.ts';
import { leadTo, prefersPage } from '#lib/http/chain/lead-to-page.ts';
import { findRoute } from '#lib/http/routes/route.ts';
import { endpoints } from './endpoints.ts';

/**
 * `$default`: whatever the gateway found no key for. A path that it missed only for its slash goes
 * to the handler it belongs to, of those that are given; the rest is refused in the one shape of
 * errors. A person who opens the address of the service in a browser is led to its reference, because the
 * console has an address of its own.
 */
export function fallbackHandler(handlers: Readonly<Record<string, ApiHandler>>): ApiHandler {
  const refuse = refusingHandler(endpoints);
  return async (event, context) => {
    const { method } = event.requestContext.http;
    const reads = method === 'GET' || method === 'HEAD';
    if (reads && event.rawPath === '/' && prefersPage(event.headers.accept)) {
      return leadTo('/docs/');
    }
    const name = findRoute(endpoints, method, event.rawPath) ?? '';
    return (handlers[name] ?? refuse)(event, context);
  };
}
