import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Plays the storage that presigned addresses lead to. */
export interface Storage {
  /** Something to fetch. */
  offer(name: string, bytes: Uint8Array): string;
  addressFor(name: string): string;
  readonly received: ReadonlyMap<string, Buffer>;
  close(): Promise<void>;
}

/** All that a shell, curl or its configuration could take for something else. */
const signature = `?X-Amz-Signature=a'b"c\\d[1-3]{x,y}$(id)&e=1`;

export async function startStorage(): Promise<Storage> {
  const offered = new Map<string, Uint8Array>();
  const received = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://storage');
    const name = pathname.slice(1);
    if (search !== new URL(`http://storage/${signature}`).search) {
      response.writeHead(403).end();
      return;
    }
    if (request.method === 'PUT') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      received.set(name, Buffer.concat(chunks));
      response.end();
      return;
    }
    const bytes = offered.get(name);
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const addressFor = (name: string) => `http://127.0.0.1:${port}/${name}${signature}`;
  return {
    offer(name, bytes) {
      offered.set(name, bytes);
      return addressFor(name);
    },
    addressFor,
    received,
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
