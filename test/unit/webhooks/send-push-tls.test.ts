import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSender } from '#lib/webhooks/send-push.ts';

const opensslIsPresent = spawnSync('openssl', ['version']).status === 0;
const send = openSender({ rules: { toLoopback: true }, timeoutSeconds: 60 });

describe.runIf(opensslIsPresent)('the certificate of a receiver', () => {
  let directory: string;
  let server: Server;
  let certificate: string;
  let push: (host: string) => ReturnType<typeof send>;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-tls-'));
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...[
          '-keyout',
          'key.pem',
          '-out',
          'certificate.pem',
          '-days',
          '1',
          '-subj',
          '/CN=localhost',
        ],
        ...['-addext', 'subjectAltName=DNS:localhost'],
      ],
      { cwd: directory, stdio: 'ignore' },
    );
    certificate = readFileSync(join(directory, 'certificate.pem'), 'utf8');
    const key = readFileSync(join(directory, 'key.pem'), 'utf8');
    server = createServer({ key, cert: certificate }, (_request, response) => response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = Object(server.address());
    push = (host) => send({ url: `https://${host}:${port}/`, headers: {}, body: '{}' });
  });
  afterAll(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });

  /** Trusts the certificate, as if a public authority had signed it. */
  function trust(): void {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate]);
    onTestFinished(() => setDefaultCACertificates(before));
  }

  it('must be one that is trusted', async () => {
    expect(await push('localhost')).toEqual({ reason: 'the certificate is not trusted' });
    trust();
    expect(await push('localhost')).toEqual({ status: 200 });
  });

  it('must be for the name that was registered', async () => {
    trust();
    expect(await push('127.0.0.1')).toEqual({ reason: 'the certificate is for another name' });
  });
});
