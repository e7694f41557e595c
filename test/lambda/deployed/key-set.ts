import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { type Listening, listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';

/** A certificate for this machine that nobody trusts unless told to. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
  /** What NODE_EXTRA_CA_CERTS names. */
  readonly file: string;
}

export function makeCertificate(directory: string): Certificate {
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const files = ['-keyout', 'key.pem', '-out', 'certificate.pem'];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...newKey, ...subject, ...files], {
    cwd: directory,
    stdio: 'ignore',
  });
  const file = join(directory, 'certificate.pem');
  return {
    key: readFileSync(join(directory, 'key.pem'), 'utf8'),
    certificate: readFileSync(file, 'utf8'),
    file,
  };
}

export interface KeySet extends Pick<Listening, 'close'> {
  /** What JWKS_URI names. */
  readonly address: string;
  /** How often the keys were fetched. */
  readonly fetched: number;
}

/** Serves an issuer's public keys over HTTPS. */
export async function serveKeys(jwks: string, { key, certificate }: Certificate): Promise<KeySet> {
  let fetched = 0;
  const server = createServer({ key, cert: certificate }, (request, response) => {
    if (request.url !== '/keys.json') return void response.writeHead(404).end();
    fetched += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(jwks);
  });
  const { endpoint, close } = await listenOnLoopback(server, 0);
  return {
    address: `${endpoint.replace('http:', 'https:')}/keys.json`,
    get fetched() {
      return fetched;
    },
    close,
  };
}
