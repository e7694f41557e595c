import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Plays the service that sends jobs on, and the storage that it sends them to. */
export interface Storage {
  /** Something to fetch. */
  offer(name: string, bytes: Uint8Array): string;
  addressFor(name: string): string;
  /** Of a job that nobody knows any more. */
  readonly goneAddress: string;
  readonly received: ReadonlyMap<string, Buffer>;
  close(): Promise<void>;
}

/** All that a shell, curl or its configuration could take for something else. */
const pass = `?pass=a'b"c\\d[1-3]{x,y}$(id)&e=1`;
const passSent = new URL(`http://service/${pass}`).search;
const signature = 'X-Amz-Signature=abc';

interface Reply {
  readonly status: number;
  readonly location?: string;
  readonly body?: Uint8Array | undefined;
}

export async function startStorage(): Promise<Storage> {
  const offered = new Map<string, Uint8Array>();
  const received = new Map<string, Buffer>();

  function sendOn(method: string, name: string, query: string): Reply {
    const [asked, bytes] = query.split(
      /&bytes=(\d+)&before=\d+&after=\d+&run_number=1(?:&cut=true)?$/,
    );
    const known = method === 'PUT' ? name !== 'gone' && bytes !== undefined : offered.has(name);
    if (asked !== passSent || !known) return { status: 404 };
    const length = method === 'PUT' ? `&length=${bytes}` : '';
    return { status: 307, location: `/stored/${name}?${signature}${length}` };
  }

  async function store(request: IncomingMessage, name: string, query: string): Promise<Reply> {
    const sent = await buffer(request);
    const isSigned = query === `?${signature}&length=${sent.length}`;
    if (!isSigned || request.headers['if-none-match'] !== '*') return { status: 403 };
    received.set(name, sent);
    return { status: 200 };
  }

  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const { pathname, search } = new URL(url, 'http://service');
    const [name = '', stored] = pathname.slice(1).split('/').reverse();
    const answer = async (): Promise<Reply> => {
      if (stored === undefined) return sendOn(method, name, search);
      if (method === 'PUT') return store(request, name, search);
      return { status: search === `?${signature}` ? 200 : 403, body: offered.get(name) };
    };
    const { status, location, body } = await answer();
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const addressFor = (name: string) => `http://127.0.0.1:${port}/${name}${pass}`;
  return {
    offer(name, bytes) {
      offered.set(name, bytes);
      return addressFor(name);
    },
    addressFor,
    goneAddress: addressFor('gone'),
    received,
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
