import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { keepConnections, listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';

/** A call of the table: how many came before it, and what it asks for. */
export interface GateCall {
  readonly number: number;
  readonly operation: string;
}

/** Told of a call on its way there, and again on its way back; what it waits for, the call waits for. */
type Gatekeeper = (call: GateCall, way: 'there' | 'back') => Promise<void> | void;

export interface TableGate {
  readonly endpoint: string;
  /** How many connections it was ever asked for. */
  readonly connections: number;
  keepBy(gatekeeper: Gatekeeper): void;
  /** Whoever keeps a connection finds it closed. */
  closeConnections(): void;
  close(): Promise<void>;
}

const letThrough: Gatekeeper = () => undefined;

/** Stands before a table, and does to its calls what a test wants. */
export async function openTableGate(table: string): Promise<TableGate> {
  let gatekeeper = letThrough;
  let calls = 0;
  let connections = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = String(request.headers['x-amz-target']);
    const call = { number: calls, operation: target.replace(/^.*\./, '') };
    calls += 1;
    const body = await buffer(request);
    await gatekeeper(call, 'there');
    const answer = await fetch(table, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': target,
        authorization: String(request.headers.authorization),
        'x-amz-security-token': String(request.headers['x-amz-security-token']),
      },
      body,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    await gatekeeper(call, 'back');
    response.writeHead(answer.status, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': bytes.length,
    });
    response.end(bytes);
  }

  const server = createServer((request, response) => {
    // Whoever was killed while it waited does not hear it.
    pass(request, response).catch(() => response.destroy());
  });
  server.on('connection', () => {
    connections += 1;
  });
  keepConnections(server);
  const { endpoint, close } = await listenOnLoopback(server, 0);
  return {
    endpoint,
    get connections() {
      return connections;
    },
    keepBy(next) {
      gatekeeper = next;
      calls = 0;
    },
    closeConnections: () => server.closeAllConnections(),
    close,
  };
}

/** Of an upstream that takes a call and says nothing more. */
export function neverAnswer(): Promise<void> {
  return new Promise(() => undefined);
}
