import { type ApiHandler, refusingHandler } from '#lib/http/chain/api-handler.ts';
import { prefersPage } from '#lib/http/parsers/accept.ts';
import { leadTo } from '#lib/http/respond.ts';
import { findRoute } from '#lib/http/routes/route.ts';
import { endpoints } from './endpoints.ts';

/**
 * Serves `$default`, which gets every request that matches no key of the gateway. Paths that miss
 * their key only because of the trailing slash go to their handler, if it is bare; all others are
 * refused with a problem. Browsers that open `/` are redirected to the reference.
 */
export function fallbackHandler(
  bareNames: readonly string[],
  loadBare: () => Promise<{ readonly handlers: Readonly<Record<string, ApiHandler>> }>,
): ApiHandler {
  const refuse = refusingHandler(endpoints);
  return async (event, context) => {
    const { method } = event.requestContext.http;
    const reads = method === 'GET' || method === 'HEAD';
    if (reads && event.rawPath === '/' && prefersPage(event.headers.accept)) {
      return leadTo('/docs/');
    }
    const name = findRoute(endpoints, method, event.rawPath) ?? '';
    const own = bareNames.includes(name) ? (await loadBare()).handlers[name] : undefined;
    return (own ?? refuse)(event, context);
  };
}
