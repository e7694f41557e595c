import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificates {
  readonly caFile: string;
  readonly caPem: string;
  /** The server's key and certificate, for Java. */
  readonly credentialFile: string;
  readonly credentialPassword: string;
  readonly key: string;
  readonly certificate: string;
}

const credentialPassword = 'for-tests';

/** Makes an authority of our own, and a certificate by it for 127.0.0.1. */
export async function makeCertificates(directory: string): Promise<Certificates> {
  const own = (name: string) => join(directory, name);
  const openssl = (...parameters: string[]) => run('openssl', parameters, { cwd: directory });
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  const asAuthority = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign'];
  await openssl(
    ...['req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=Slipway tests', ...asAuthority],
    ...['-keyout', 'ca.key', '-out', 'ca.pem'],
  );
  await openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', 'x.key', '-out', 'x.csr');
  await writeFile(own('x.ext'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  await openssl(
    ...['x509', '-req', '-in', 'x.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-days', '2', '-extfile', 'x.ext', '-out', 'x.pem'],
  );
  await openssl(
    ...['pkcs12', '-export', '-inkey', 'x.key', '-in', 'x.pem', '-certfile', 'ca.pem'],
    ...['-name', 'server', '-passout', `pass:${credentialPassword}`, '-out', 'x.p12'],
  );
  return {
    caFile: own('ca.pem'),
    caPem: await readFile(own('ca.pem'), 'utf8'),
    credentialFile: own('x.p12'),
    credentialPassword,
    key: await readFile(own('x.key'), 'utf8'),
    certificate: await readFile(own('x.pem'), 'utf8'),
  };
}
