import { createServer, type IncomingHttpHeaders } from 'node:http';
import { request as sendRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Unicore } from './server.ts';

export interface Bridge {
  /** Ends with /rest/core. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/**
 * The server by plain HTTP, for lines that lose calls and know no certificates. Addresses in answers
 * lead to the bridge, as with a gateway in front.
 */
export async function openBridge({ baseUrl, caPem }: Unicore): Promise<Bridge> {
  const { origin, pathname } = new URL(baseUrl);
  const server = createServer(async (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const { host: _, connection: __, ...passed } = headers;
    const call = sendRequest(
      `${origin}${url}`,
      { ca: caPem, method, headers: passed },
      async (answer) => {
        const body = turn(await buffer(answer), answer.headers);
        const { 'content-length': ___, 'transfer-encoding': ____, ...kept } = answer.headers;
        const { location } = kept;
        const moved = location && { location: location.replace(origin, own) };
        outgoing.writeHead(answer.statusCode ?? 502, { ...kept, ...moved }).end(body);
      },
    );
    call.once('error', () => incoming.socket.destroy());
    call.end(await buffer(incoming));
  });
  const turn = (body: Buffer, headers: IncomingHttpHeaders) =>
    headers['content-type']?.includes('json')
      ? Buffer.from(body.toString().replaceAll(origin, own))
      : body;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The bridge has no port.');
  const own = `http://127.0.0.1:${address.port}`;
  return {
    baseUrl: `${own}${pathname}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
