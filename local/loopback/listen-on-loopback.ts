import { once } from 'node:events';
import type { Server } from 'node:http';

export interface Listening {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Listens on the loopback address. Port 0 picks a free port. Closing aborts open requests. */
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
 * Longer than clients keep idle connections (Go 90 s, curl 118 s). Node's default is 5 s, so it may
 * close a connection just as a client sends the next request, which then fails with a reset.
 */
const keptMs = 120_000;

/** Longer than `keptMs`, or Node would treat an idle connection as a request with late headers. */
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
