import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../fixtures/edition.ts';
import { buildArchive, openFolder, unpackArchive } from './archive.ts';
import {
  bootDebian,
  type Debian,
  type DebianRoot,
  explainNoDebian,
  installDebian,
} from './debian.ts';

const missing = explainNoDebian();
if (missing) process.stdout.write(`docs/on-premises.md cannot be tried in a Debian: ${missing}.\n`);

const page = readFileSync(join(projectRoot, 'docs/on-premises.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines = '']) => lines);

const issuerAddress = 'https://login.example.org:8443/realms/centre';

/** Makes the changes that the page describes. */
const editor = `#!/bin/sh
case $1 in
  *slipway.env)
    if grep -q :8443 $1; then sed -i 's/^#METRICS_PORT/METRICS_PORT/' $1
    else sed -i 's#https://login.example.org/realms/centre#${issuerAddress}#' $1; fi ;;
  */centre.json) sed -i 's/Our cluster/The cluster/' $1 ;;
  *) test -f $1 ;;
esac
`;

function makeCertificate(folder: string): void {
  const names = ['slipway.example.org', 'login.example.org'].map((name) => `DNS:${name}`).join(',');
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const subject = ['-subj', '/CN=slipway.example.org', '-addext', `subjectAltName=${names}`];
  const files = ['-out', join(folder, 'slipway.pem'), '-keyout', join(folder, 'slipway.key')];
  execFileSync('openssl', ['req', '-x509', ...options, ...subject, ...files], { stdio: 'ignore' });
}

/** What the reader of the page has: the release, a certificate, names, and the packages of Debian. */
function prepare(root: DebianRoot): void {
  const folder = openFolder();
  const { file } = buildArchive(folder);
  root.copy(file, 'root/slipway-server-0.2.0.tar.gz');
  const next = join(folder, 'slipway-server-0.3.0');
  renameSync(unpackArchive(file, folder), next);
  execFileSync('tar', ['-czf', `${next}.tar.gz`, '-C', folder, 'slipway-server-0.3.0']);
  root.copy(`${next}.tar.gz`, 'root/slipway-server-0.3.0.tar.gz');
  makeCertificate(folder);
  root.copy(join(folder, 'slipway.pem'), 'etc/ssl/certs/slipway.pem');
  root.copy(join(folder, 'slipway.pem'), 'usr/local/share/ca-certificates/centre.crt');
  root.copy(join(folder, 'slipway.key'), 'etc/ssl/private/slipway.key');
  const names = ['localhost', 'slipway', 'slipway.example.org', 'login.example.org'];
  root.write('etc/hosts', `127.0.0.1 ${names.join(' ')}\n`);
  root.write('usr/local/bin/editor', editor, 0o755);
  const packages = page.match(/^apt-get install .*$/gm) ?? [];
  root.install(['update-ca-certificates', 'apt-get update', ...packages].join(' && '));
}

function startIssuer({ path }: DebianRoot, { pid }: Debian): void {
  const files = ['etc/ssl/certs/slipway.pem', 'etc/ssl/private/slipway.key'];
  const program = [process.execPath, join(projectRoot, 'test/workstation/serve-issuer.ts')];
  const child = spawn(
    'nsenter',
    [
      ...['--target', String(pid), '--net', '--', ...program],
      ...[...files.map((file) => join(path, file)), issuerAddress],
    ],
    { stdio: 'inherit' },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
}

const status = 'https://slipway.example.org/status/';

/** Asks without a pause, by a connection for each request, and notes the answers. */
const asking = `while :; do curl -s -o /dev/null -w '%{http_code}\\n' ${status} >> /root/codes; done`;

describe.runIf(!missing)('docs/on-premises.md', () => {
  it('leads from a bare Debian to the first job, a backup and an update', {
    timeout: 1_800_000,
  }, async () => {
    const root = installDebian();
    prepare(root);
    const debian = await bootDebian(root);
    startIssuer(root, debian);
    const shown = new Map<string, string>();
    for (const block of blocks) {
      if (block.includes('slipway-server-0.3.0.tar.gz')) {
        for (let caller = 0; caller < 3; caller += 1) debian.start(asking);
        await expect.poll(() => debian.run('wc -l < codes').status).toBe(0);
      }
      const { status: code, text } = debian.run(block);
      expect({ code, text: code === 0 ? '' : text }, block).toEqual({ code: 0, text: '' });
      shown.set(block, text);
    }
    const find = (part: string) =>
      blocks.filter((block) => block.includes(part)).map((block) => shown.get(block) ?? '');
    expect(find('catalog:check')[0]).toContain('The catalog is right: mahti');
    expect(find('nginx')).toEqual([expect.stringContaining('"status":"up"')]);
    expect(find('slipway submit')).toEqual([expect.stringContaining('done')]);
    expect(find('/metrics')).toEqual([expect.stringContaining('slipway_')]);
    expect(find('slipway-server reconcile')).toEqual([expect.stringContaining(' 0 wrong')]);
    expect(debian.run('slipway jobs').text).toContain('mahti');
    expect(debian.run('readlink /opt/slipway').text.trim()).toBe('slipway-server-0.2.0');
    const codes = debian.run('cat codes').text.trim().split('\n');
    const refused = codes.filter((code) => code !== '200').length;
    process.stdout.write(
      `Update and way back behind nginx: ${refused} of ${codes.length} refused\n`,
    );
    expect(refused).toBe(0);
    await checkWatchdog(debian);
  });
});

/** A service that hangs is restarted. */
async function checkWatchdog({ run }: Debian): Promise<void> {
  const dropIn = '/etc/systemd/system/slipway.service.d/watchdog.conf';
  run(`mkdir -p $(dirname ${dropIn}); printf '[Service]\\nWatchdogSec=8\\n' > ${dropIn}`);
  expect(run('systemctl daemon-reload; systemctl restart slipway').status).toBe(0);
  const show = (property: string) => run(`systemctl show -P ${property} slipway`).text.trim();
  const hung = show('MainPID');
  run(`kill -STOP ${hung}`);
  await expect.poll(() => show('MainPID'), { timeout: 120_000 }).not.toBe(hung);
  await expect.poll(() => run(`curl -s ${status}`).text, { timeout: 120_000 }).toContain('"up"');
}
