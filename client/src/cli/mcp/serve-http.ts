import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/**
 * An assistant needs one, and one that crashes leaves its own open. So the session that was unused
 * for the longest time makes room for the next.
 */
const mostSessions = 20;

/** Whoever knows the key has the rights of the user. */
export const createKey = (): string => randomBytes(24).toString('base64url');

/**
 * Serves assistants over HTTP on this machine alone. Any account of this machine can reach the
 * port, and a web page can have a browser call it: so each request needs the key, and the name of
 * this machine as its host.
 */
export async function listenForAssistants(
  create: () => McpServer,
  { port, key }: { readonly port: number; readonly key: string },
) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (status: number) => void response.writeHead(status).end();
    if (!isLoopback(request)) return refuse(403);
    if (!hasKey(request, key)) return refuse(401);
    if (request.url !== '/mcp') return refuse(404);
    const { 'mcp-session-id': id } = request.headers;
    if (id !== undefined) {
      const session = sessions.get(String(id));
      if (!session) return refuse(404);
      sessions.delete(String(id));
      sessions.set(String(id), session);
      return session.handleRequest(request, response);
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: async (made) => {
        const [oldest] = sessions.keys();
        if (oldest !== undefined && sessions.size >= mostSessions) {
          const session = sessions.get(oldest);
          sessions.delete(oldest);
          await session?.close();
        }
        sessions.set(made, transport);
      },
      onsessionclosed: (closed) => void sessions.delete(closed),
    });
    await create().connect(transport);
    return transport.handleRequest(request, response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const own = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${own ?? port}/mcp`,
    close: async () => {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      server.closeAllConnections();
      server.close();
    },
  };
}

function isLoopback({ headers: { host = '' } }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
}

function hasKey({ headers }: IncomingMessage, key: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${key}`));
}
