import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Connector } from '#lib/hpc/connector.ts';
import { keepConnections } from '#local/loopback/listen-on-loopback.ts';
import { Faults, LostError } from './faults.ts';

/** The way from the service to a system, on which calls can be lost. */
export interface Line {
  readonly faults: Faults;
  close(): Promise<void>;
}

/** A line over HTTP. */
export interface HttpLine extends Line {
  readonly url: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * Passes requests on to a system. Addresses in its answers that lead to the system lead to the line,
 * as they would with a gateway in front.
 */
export async function openHttpLine(target: string): Promise<HttpLine> {
  const faults = new Faults();
  const { origin } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const body = await buffer(incoming);
      const { pathname } = new URL(incoming.url ?? '/', origin);
      return faults.pass(`${incoming.method} ${pathname}`, () => passOn(origin, incoming, body));
    };
    answer().then(
      ({ status, headers, body }) => {
        outgoing.writeHead(status, rewrite(headers, origin, url)).end(turn(body, headers, url));
      },
      () => incoming.socket.destroy(),
    );
  });
  // A client that reuses a connection just as it is closed would lose a call that no scene loses.
  keepConnections(server);
  const turn = (body: Buffer, headers: IncomingMessage['headers'], to: string) =>
    /json|xml/.test(headers['content-type'] ?? '')
      ? Buffer.from(body.toString().replaceAll(origin, to))
      : body;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The line has no port.');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url: target.replace(origin, url),
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(origin: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method, url = '/', headers } = incoming;
  return new Promise((resolve, reject) => {
    const { host: _, connection: __, 'transfer-encoding': ___, ...passed } = headers;
    const call = sendRequest(
      new URL(url, origin),
      // Not on a kept connection, which the system may be closing. It is not told so: slurmrestd 22.05
      // would write "Connection: Close" behind its answer.
      {
        method,
        headers: { ...passed, 'content-length': body.length, connection: 'keep-alive' },
        agent: false,
      },
      (answer) => {
        const { socket } = answer;
        answer.once('end', () => socket.destroy());
        const { statusCode: status = 502, headers: answered } = answer;
        buffer(answer).then((read) => resolve({ status, headers: answered, body: read }), reject);
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

function rewrite(headers: IncomingMessage['headers'], from: string, to: string) {
  const {
    'content-length': _,
    'transfer-encoding': __,
    connection: ___,
    location,
    ...kept
  } = headers;
  return { ...kept, ...(location !== undefined && { location: location.replaceAll(from, to) }) };
}

/** A line to a system that is called without HTTP: its connector's own calls can be lost. */
export function openInnerLine(): Line & { through(connector: Connector): Promise<Connector> } {
  const faults = new Faults();
  return {
    faults,
    close: async () => undefined,
    async through(connector) {
      // Of the same modules as the sweep, which tells errors apart by their classes.
      const { SystemUnavailableError } = await import('#lib/hpc/errors.ts');
      const pass = async (name: string, call: () => Promise<unknown>) => {
        try {
          return await faults.pass(name, call);
        } catch (error) {
          if (!(error instanceof LostError)) throw error;
          throw new SystemUnavailableError(error.message);
        }
      };
      return new Proxy(connector, {
        get(object, name) {
          const member: unknown = Reflect.get(object, name);
          if (typeof member !== 'function') return member;
          return (...parameters: unknown[]) =>
            pass(String(name), async () => Reflect.apply(member, object, parameters));
        },
      });
    },
  };
}
