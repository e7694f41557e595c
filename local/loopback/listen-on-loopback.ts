import { once } from 'node:events';
import type { Server } from 'node:http';

export interface Listening {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Listens on this machine only; port 0 takes a free port. Closing cuts off open requests. */
export async function listenOnLoopback(server: Server, port: number): Promise<Listening> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Longer than clients keep a connection that nobody uses (Go 90 s, curl 118 s). By default Node
 * closes it after five, often in the moment in which a client sends its next request on it, which
 * that client sees as a reset.
 */
const keptMs = 120_000;

/** Longer, so that Node does not mistake an idle connection for a request whose headers are late. */
const headersMs = keptMs + 10_000;

export function keepConnections(server: Server): void {
  server.keepAliveTimeout = keptMs;
  server.headersTimeout = headersMs;
}

/** Closes idle connections now, and the others when they become idle. */
export function releaseConnections(server: Server): void {
  server.keepAliveTimeout = 1;
  server.closeIdleConnections();
}

/**
 * Whether a request names this machine as its host. A name of somebody else's that was rebound to
 * the loopback address shows here, so that no page in a browser reaches what is not made for it.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '');
}
