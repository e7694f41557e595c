import type { IncomingMessage } from 'node:http';

/**
 * Whether the Host header is one of this server's addresses: the loopback names with its port, or
 * one of the others that the operator named. Any other name may have been rebound to the loopback
 * address (DNS rebinding) to let a web page reach this server. A number cannot be rebound, so a
 * proxy on this machine may keep its own port in it.
 */
export function isOwnHost(request: IncomingMessage, others: readonly string[] = []): boolean {
  const host = request.headers.host?.toLowerCase();
  if (host !== undefined && /^127\.0\.0\.1(:\d+)?$/.test(host)) return true;
  return ownAddresses(request, others).some((address) => {
    const { protocol, host: own } = new URL(address);
    return host === own || host === `${own}:${protocol === 'https:' ? 443 : 80}`;
  });
}

/**
 * Whether the request comes from a page of one of these addresses, or from no page at all: programs
 * send no Origin header, and neither do browsers that follow a link.
 */
export function isOwnOrigin(request: IncomingMessage, others: readonly string[] = []): boolean {
  const { origin } = request.headers;
  return (
    origin === undefined ||
    ownAddresses(request, others).some((address) => new URL(address).origin === origin)
  );
}

/** A numeric address cannot be rebound, so the one that the request came to is safe too. */
function ownAddresses({ socket }: IncomingMessage, others: readonly string[]): string[] {
  const { localAddress = '127.0.0.1', localPort } = socket;
  const numeric = localAddress.replace(/^::ffff:/, '').replace(/^.*:.*$/, '[$&]');
  return ['localhost', '127.0.0.1', numeric]
    .map((name) => `http://${name}:${localPort}`)
    .concat(others);
}
