import type { Server } from 'node:http';

/**
 * Longer than clients keep a connection that nobody uses (Go 90 s, curl 118 s). By default Node
 * closes it after five, often in the moment in which a client sends its next request on it, which
 * that client sees as a reset.
 */
const keptMs = 120_000;

/** Node must not take a kept connection for a request whose headers do not arrive. */
const headersMs = keptMs + 10_000;

export function keepConnections(server: Server): void {
  server.keepAliveTimeout = keptMs;
  server.headersTimeout = headersMs;
}

/** Those that are free now, and the others as soon as they are. */
export function releaseConnections(server: Server): void {
  server.keepAliveTimeout = 1;
  server.closeIdleConnections();
}
