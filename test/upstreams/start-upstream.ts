import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** `lost answer`: the call has its effect, its answer never arrives. `lost call`: it has none. */
export type Fault = Reply | 'lost answer' | 'lost call' | 'silence';

export interface Upstream {
  readonly url: string;
  readonly requests: readonly UpstreamRequest[];
  /** What happens to the next call whose `METHOD /path` looks so. */
  failNext(call: RegExp, fault: Fault, times?: number): void;
  /** The calls so far, as `METHOD /path`. */
  listCalls(): string[];
  close(): void;
}

/** An HPC system's HTTP side on loopback, with faults on demand. */
export async function startUpstream(
  answer: (request: UpstreamRequest) => Reply | Promise<Reply>,
): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  const faults: { call: RegExp; fault: Fault }[] = [];
  const nameOf = ({ method, path }: UpstreamRequest) => `${method} ${path}`;
  const takeFault = (name: string) => {
    const index = faults.findIndex(({ call }) => call.test(name));
    return index < 0 ? undefined : faults.splice(index, 1)[0]?.fault;
  };
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    const fault = takeFault(nameOf(request));
    if (fault === 'silence') return;
    if (fault === 'lost call') return void incoming.socket.destroy();
    const reply = typeof fault === 'object' ? fault : await answer(request);
    if (fault === 'lost answer') return void incoming.socket.destroy();
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    failNext(call, fault, times = 1) {
      for (let time = 0; time < times; time += 1) faults.push({ call, fault });
    },
    listCalls: () => requests.map(nameOf),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<UpstreamRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const url = new URL(incoming.url ?? '/', 'http://localhost');
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  };
}
