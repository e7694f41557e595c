import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import type { Variables } from './emulator.ts';

export interface HttpsFront {
  /** For processes of Node.js that call the API at the address that its own links have. */
  readonly environment: Variables;
  /** For programs that take certificates from OpenSSL, such as Python. */
  readonly openSslEnvironment: Variables;
  close(): void;
}

/**
 * Serves `https://<api>.execute-api.localhost`, as API Gateway does, in front of an emulator that
 * speaks plain HTTP on another port. Clients reach it as a proxy, because their resolver need not
 * know such names. Requests and responses are not changed.
 */
export async function openHttpsFront(directory: string, emulatorPort: number): Promise<HttpsFront> {
  const key = join(directory, 'front-key.pem');
  const certificate = join(directory, 'front-certificate.pem');
  createCertificate(key, certificate);
  /** Hands a request on to the emulator. A proxy gets addresses, a server paths. */
  const forward: RequestListener = (incoming, response) => {
    const path = incoming.url?.replace(/^http:\/\/[^/]*/, '');
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: emulatorPort,
        method: incoming.method,
        path,
        headers: incoming.rawHeaders,
        setDefaultHeaders: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  };
  const secure = createSecureServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    forward,
  );
  const proxy = createServer(forward);
  proxy.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    secure.emit('connection', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  const url = `http://127.0.0.1:${address.port}`;
  const proxied = { HTTPS_PROXY: url, NO_PROXY: '127.0.0.1' };
  return {
    environment: { NODE_USE_ENV_PROXY: '1', ...proxied, NODE_EXTRA_CA_CERTS: certificate },
    // The emulator's own address of the API is plain HTTP.
    openSslEnvironment: { ...proxied, HTTP_PROXY: url, SSL_CERT_FILE: certificate },
    close: () => {
      proxy.close();
      secure.closeAllConnections();
    },
  };
}

function createCertificate(key: string, certificate: string): void {
  const { status, stderr } = spawnSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=slipway test',
      ],
      ...['-keyout', key, '-out', certificate],
      ...['-addext', 'subjectAltName=DNS:*.execute-api.localhost'],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl could not create a certificate.\n${stderr}`);
}
