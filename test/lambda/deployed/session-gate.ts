import { createServer, type IncomingMessage, request as send } from 'node:http';
import {
  keepConnections,
  type Listening,
  listenOnLoopback,
} from '#local/loopback/listen-on-loopback.ts';

/** Credentials of a role come with a token, and AWS refuses them without it. */
export const sessionToken = 'IQoJb3JpZ2luX2VjEXAMPLE/of+a=session';

export interface SessionGate extends Listening {
  /** How many calls came with the token. */
  readonly passed: number;
}

/** Stands before a service of AWS and refuses what comes without the token of the session. */
export async function openSessionGate(service: string): Promise<SessionGate> {
  let passed = 0;
  const server = createServer((request, response) => {
    if (tokenOf(request) !== sessionToken) {
      const problem = '{"__type":"UnrecognizedClientException","message":"The token is missing."}';
      response.writeHead(403, { 'content-type': 'application/x-amz-json-1.0' }).end(problem);
      request.resume();
      return;
    }
    passed += 1;
    const { method = 'GET', headers, url = '/' } = request;
    // With the host that was signed.
    const onward = send(new URL(url, service), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    // A caller that is killed leaves its call behind.
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.requestTimeout = 0;
  keepConnections(server);
  const { endpoint, close } = await listenOnLoopback(server, 0);
  return {
    endpoint,
    get passed() {
      return passed;
    },
    close,
  };
}

/** In a header, or in the query of an address that was signed. */
function tokenOf({ headers, url = '/' }: IncomingMessage): string | undefined {
  const header = headers['x-amz-security-token'];
  if (header !== undefined) return String(header);
  return new URL(url, 'http://localhost').searchParams.get('X-Amz-Security-Token') ?? undefined;
}
