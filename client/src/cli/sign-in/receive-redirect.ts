import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import {
  type LoopbackHost,
  loopbackAddress,
  loopbackPath,
  loopbackPorts,
} from '../../sign-in/loopback.ts';
import { currentLanguage } from '../../words/language.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

export interface RedirectReceiver {
  /** The address to which the issuer sends the browser back. */
  readonly address: string;
  readonly port: number;
  /** Waits for the redirect of this attempt. Throws the signal's reason once it aborts. */
  receive(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/**
 * Listens on this machine for the one redirect that ends a sign-in (RFC 8252, 7.3). Another program
 * that takes the ports first gets a code at most, which is worthless without the PKCE verifier.
 */
export async function openReceiver(
  host?: LoopbackHost,
  ports: readonly number[] = loopbackPorts,
): Promise<RedirectReceiver> {
  const server = createServer();
  const port = await listenOnFirst(server, ports);
  const address = loopbackAddress(port, host);
  return {
    address,
    port,
    receive: (state, signal) => waitForRedirect(server, { address, state, signal }),
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

async function listenOnFirst(server: Server, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return port;
    } catch {
      // Another program uses this port, perhaps another sign-in.
    }
  }
  throw new CannotDo(phrase('session.otherProgramsUseThePorts', { ports: ports.join(', ') }), {
    next: phrase('session.endOneOfThem'),
  });
}

interface Expected {
  readonly address: string;
  readonly state: string;
  readonly signal: AbortSignal;
}

/**
 * Ignores every request without the state of this attempt: any page in the browser can call this
 * address, and none of them may end the sign-in.
 */
function waitForRedirect(server: Server, expected: Expected): Promise<URLSearchParams> {
  const { address, state, signal } = expected;
  const { host, origin } = new URL(address);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    server.on('request', (request, response) => {
      const { pathname, searchParams } = readUrl(request.url, origin);
      const isOurs =
        request.method === 'GET' &&
        request.headers.host === host &&
        pathname === loopbackPath &&
        searchParams.get('state') === state;
      if (!isOurs) {
        show(response, 404, phrase('session.thisIsNotThePage'));
        return;
      }
      const refused = searchParams.has('error');
      response.once('close', () => {
        signal.removeEventListener('abort', stop);
        resolve(searchParams);
      });
      show(
        response,
        200,
        refused ? phrase('session.youAreNotSigned') : phrase('session.slipwayHasReceivedYourSign'),
      );
    });
  });
}

function readUrl(text = '/', origin: string): URL {
  return new URL(URL.canParse(text, origin) ? text : '/', origin);
}

/** Shows fixed words only, so that no address can put anything into the page. */
function show(response: ServerResponse, status: number, words: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(
      `<!doctype html><html lang="${currentLanguage().code}"><meta charset="utf-8"><title>Slipway</title><p>${words}</p></html>`,
    );
}
