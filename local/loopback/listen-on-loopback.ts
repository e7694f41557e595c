import { once } from 'node:events';
import type { Server } from 'node:http';

export interface Listening {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** On this machine alone; port 0 takes a free one. What is under way when it closes is cut off. */
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
