import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome, projectRoot } from '../fixtures/edition.ts';

/** Runs a program as the Unix user `nobody`. Only root can. */
function runAsNobody(program: string, ...words: string[]) {
  const asNobody = ['--reuid=nobody', '--regid=nogroup', '--clear-groups'];
  return spawnSync('setpriv', [...asNobody, program, ...words], {
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: process.env.PATH },
  });
}

const canBeNobody = process.getuid?.() === 0 && runAsNobody(process.execPath, '-v').status === 0;
if (!canBeNobody) {
  process.stdout.write('Another Unix user cannot be tried: it takes root and setpriv.\n');
}

describe.runIf(canBeNobody)('another Unix user of the machine', () => {
  it('gets neither the key nor a token', async () => {
    const home = openHome();
    const { url, consoleUrl } = await home.start({ DATA_DIR: '.slipway/data' });
    // Only the folder .slipway protects its files, as in a checkout that everybody can read.
    chmodSync(home.path, 0o755);
    const key = readFileSync(join(home.path, '.slipway/key'), 'utf8').trim();
    expect(consoleUrl).toContain(key);
    for (const file of ['key', 'issuer-key.pem', 'running']) {
      const { status, stdout } = runAsNobody('cat', join(home.path, '.slipway', file));
      expect([file, status, stdout]).toEqual([file, 1, '']);
    }

    // The process shows everybody its command line, and only its owner its environment.
    const seen = runAsNobody('sh', '-c', 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ');
    expect(seen.stdout).not.toContain(key);

    const ask = `
      const ask = (key) => fetch('${url}/local/token', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { 'slipway-key': key }) },
        body: '{"user":"306328"}',
      }).then((answer) => answer.status);
      console.log(await ask(), await ask('guess'), await ask('${'A'.repeat(43)}'));
    `;
    const asked = runAsNobody(process.execPath, '--input-type=module', '-e', ask);
    expect([asked.stdout, asked.stderr]).toEqual(['401 401 401\n', '']);

    // From the folder itself, the tools find no key to read either.
    const token = `cd ${home.path} && ${process.execPath} ${join(projectRoot, 'local/token.ts')}`;
    const printed = runAsNobody('sh', '-c', token);
    expect([printed.status, printed.stdout]).toEqual([1, '']);
    expect(printed.stderr).toContain('cannot be read and written (EACCES)');
  });
});
