import { createServer } from 'node:http';
import { type Listening, listenOnLoopback } from '../loopback/listen-on-loopback.ts';
import { isOwnHost } from '../loopback/own-address.ts';
import type { Figures } from './keep-figures.ts';

const path = '/metrics';

/**
 * Serves figures at a port of their own, which only this machine reaches: whoever watches from
 * another machine comes through the proxy that has the certificate (docs/monitoring.md).
 */
export async function serveMetrics(
  { write, contentType }: Figures,
  port: number,
): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const asks = request.method === 'GET' && request.url === path;
    // A page in a browser on this machine could reach the port by a name of its own.
    if (!asks || !isOwnHost(request)) {
      response.writeHead(asks ? 403 : 404).end();
      return;
    }
    try {
      const figures = await write();
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
      response.end(figures);
    } catch (error) {
      process.stderr.write(`The figures could not be written: ${error}\n`);
      response.writeHead(500).end();
    }
  });
  const { endpoint, close } = await listenOnLoopback(server, port).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Figures cannot be served at METRICS_PORT=${port} (${reason}).`, { cause });
  });
  return { endpoint: `${endpoint}${path}`, close };
}
