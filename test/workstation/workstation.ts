import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as sendHttps } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createIssuer } from '#local/issuer.ts';
import { type FakeIssuer, startFakeIssuer } from '../browser/fake-issuer.ts';
import { findFreePort, findFreePorts } from '../engines/find-free-port.ts';
import { end, type Home, openHome, projectRoot } from '../fixtures/edition.ts';
import { makeKey } from '../fixtures/jwt.ts';

export const examples = join(projectRoot, 'docs/examples/on-premises');

/** True if Debian's nginx and openssl are installed. */
export const hasProxy =
  spawnSync('nginx', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0;

const name = 'slipway.example.org';
const issuerName = 'login.example.org';

export interface Workstation {
  readonly home: Home;
  /** The public address, behind nginx. */
  readonly url: string;
  /** The address on the machine itself, as the service printed it. */
  readonly localUrl: string;
  readonly welcome: string;
  readonly issuer: FakeIssuer;
  readonly token: string;
  readonly adminToken: string;
  /** Ends the service and starts it again, as an update does. */
  restart(): Promise<void>;
  /** Sends a request to an address at nginx, as a program would that resolves its name. */
  ask(address: string, options?: Question): Promise<Answer>;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Whether to send the token of the user. True by default. */
  readonly signedIn?: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/**
 * Starts a service for a group, behind nginx with TLS, and an issuer. A restart is one of today's
 * code, whichever the first was.
 */
export async function startWorkstation(
  environment: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<Workstation> {
  const home = openHome();
  linkState(home.path);
  const certificate = makeCertificate(home.path);
  const [port = 0, tlsPort = 0, issuerPort = 0] = await findFreePorts(3);
  const url = `https://${name}:${tlsPort}`;
  const issuerUrl = `https://${issuerName}:${tlsPort}`;
  const key = createIssuer(makeKey());
  const sign = (sub: string, more: object = {}) => {
    const now = Math.floor(Date.now() / 1000);
    return key.signToken({
      iss: issuerUrl,
      aud: 'slipway',
      sub,
      iat: now,
      exp: now + 3600,
      ...more,
    });
  };
  const token = sign('306328');
  const issuer = await startFakeIssuer(token, {
    port: issuerPort,
    address: issuerUrl,
    jwks: key.jwks,
  });
  await startNginx(home.path, { certificate, port, tlsPort, issuerPort });
  const settings = {
    PORT: String(port),
    PUBLIC_URL: url,
    ISSUER: issuerUrl,
    // The name of the issuer is not in the DNS of the machine that runs the tests.
    JWKS_URI: `https://localhost:${tlsPort}/keys`,
    NODE_EXTRA_CA_CERTS: certificate.file,
    AUDIENCE: 'slipway',
    CONSOLE_CLIENT_ID: 'slipway-console',
    SYSTEMS: 'machine',
    ...environment,
  };
  let child = home.run(settings, checkout);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGTERM');
  });
  const restart = async () => {
    await end(child, 'SIGTERM');
    child = home.run(settings);
    await readWelcome(child);
  };
  const welcome = await readWelcome(child);
  const ask = (address: string, { signedIn = true, ...options }: Question = {}) =>
    askNginx(address, tlsPort, certificate.pem, {
      ...options,
      headers: { ...(signedIn && { authorization: `Bearer ${token}` }), ...options.headers },
    });
  const adminToken = sign('100001', { groups: ['slipway-admin'] });
  const localUrl = /http:\/\/localhost:\d+/.exec(welcome)?.[0] ?? '';
  return { home, url, localUrl, welcome, issuer, token, adminToken, restart, ask };
}

/** Keeps the state elsewhere, as docs/workstation.md says: `/opt/slipway/.slipway` is a link. */
function linkState(folder: string): void {
  mkdirSync(join(folder, 'state'), { mode: 0o700 });
  symlinkSync(join(folder, 'state'), join(folder, '.slipway'));
}

function readWelcome(child: ReturnType<Home['run']>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = '';
  const read = (chunk: Buffer) => {
    printed += chunk;
    if (printed.includes('No tokens are made here.')) resolve(printed);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  child.once('exit', () => reject(new Error(`The service ended: ${printed}`)));
  return promise;
}

interface Certificate {
  readonly file: string;
  readonly key: string;
  readonly pem: string;
}

function makeCertificate(folder: string): Certificate {
  const [file, key] = [join(folder, 'slipway.pem'), join(folder, 'slipway.key')];
  const names = [name, issuerName, 'localhost'].map((each) => `DNS:${each}`).join(',');
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      ...options,
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=${names}`,
    ].concat(['-out', file, '-keyout', key]),
    { stdio: 'ignore' },
  );
  return { file, key, pem: readFileSync(file, 'utf8') };
}

interface Ports {
  readonly certificate: Certificate;
  readonly port: number;
  readonly tlsPort: number;
  readonly issuerPort: number;
}

/** Starts nginx with the example of the docs, changed only in ports and paths. */
async function startNginx(folder: string, ports: Ports): Promise<void> {
  const { certificate, port, tlsPort, issuerPort } = ports;
  const tls = `ssl_certificate ${certificate.file}; ssl_certificate_key ${certificate.key};`;
  const example = readFileSync(join(examples, 'nginx.conf'), 'utf8')
    .replace('listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`)
    .replace('listen 80;', `listen 127.0.0.1:${await findFreePort()};`)
    .replace('/etc/ssl/certs/slipway.pem', certificate.file)
    .replace('/etc/ssl/private/slipway.key', certificate.key)
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`);
  const own = join(folder, 'nginx');
  mkdirSync(own);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(own, kind)};`)
    .join(' ');
  const config = `daemon off; pid ${own}/pid; error_log stderr; events {}
http {
  access_log off; ${temporary}
  ${example}
  server {
    listen 127.0.0.1:${tlsPort} ssl;
    server_name ${issuerName} localhost;
    ${tls}
    location / { proxy_pass http://127.0.0.1:${issuerPort}; }
  }
}
`;
  writeFileSync(join(own, 'nginx.conf'), config);
  const nginx = spawn('nginx', ['-p', own, '-e', 'stderr', '-c', join(own, 'nginx.conf')]);
  let printed = '';
  nginx.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  onTestFinished(async () => {
    if (nginx.exitCode !== null) return;
    const ended = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await ended;
  });
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${printed}`);
    const answers = await askNginx(
      `https://${name}:${tlsPort}/`,
      tlsPort,
      certificate.pem,
      {},
    ).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function askNginx(
  address: string,
  tlsPort: number,
  ca: string,
  { method = 'GET', headers = {}, body }: Omit<Question, 'signedIn'>,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, host, pathname, search } = new URL(address);
  sendHttps(
    {
      host: '127.0.0.1',
      port: tlsPort,
      servername: hostname,
      ca,
      method,
      path: `${pathname}${search}`,
      headers: {
        host,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    },
    (response) => {
      text(response).then(
        (read) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
        reject,
      );
    },
  )
    .on('error', reject)
    .end(body);
  return promise;
}
