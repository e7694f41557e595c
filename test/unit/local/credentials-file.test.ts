import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { openCredentialsFile } from '#local/credentials/credentials-file.ts';
import { connectors } from '#test/fixtures/connectors.ts';
import { systemName } from '#test/fixtures/names.ts';
import { thirdSystem } from '#test/fixtures/third-system.ts';

const catalog = {
  systems: Object.values(connectors).map(
    (connector): HpcSystem => ({ ...thirdSystem, name: systemName(connector.kind), connector }),
  ),
};

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
  file = join(directory, 'credentials.json');
});
afterEach(() => {
  rmSync(directory, { recursive: true });
  vi.unstubAllEnvs();
});

function write(credentials: unknown, mode = 0o600): void {
  writeFileSync(file, typeof credentials === 'string' ? credentials : JSON.stringify(credentials));
  chmodSync(file, mode);
}

/** What is said of the file, line by line. */
function listProblems(): string[] {
  try {
    openCredentialsFile(directory, catalog);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

const user = { username: 'slipway', password: 'p4ss' };

describe('the credentials of a laptop edition', () => {
  it('are missing with all that is to be done, for each kind of system', () => {
    const missing = (name: string, example: string) =>
      `The credentials of ${name} are missing. Write them into ${file} (mode 600), for example: ${example}`;
    expect(listProblems()).toEqual([
      missing('slurm', '{"slurm":{"user":"slipway","token":"<JWT>"}}'),
      missing('unicore', '{"unicore":{"username":"slipway","password":"<password>"}}'),
      missing(
        'nsg',
        '{"nsg":{"username":"slipway","password":"<password>","appkey":"<application key>"}}',
      ),
    ]);
  });

  it('are shown as a key for a system behind ssh', () => {
    const node = { host: 'login.example.org', user: 'slipway', hostKeys: ['ssh-ed25519 AAAA'] };
    const { baseUrl: _, ...connector } = connectors.slurm;
    const system = {
      ...thirdSystem,
      name: systemName('slurm'),
      connector: { ...connector, reach: { ssh: node } },
    };
    expect(() => openCredentialsFile(directory, { systems: [system] })).toThrow(
      'for example: {"slurm":{"sshKey":"<private key, with \\\\n for its line ends>"}}',
    );
  });

  it('are shown in the form that acts for other accounts, where jobs run as those', () => {
    const systems = catalog.systems.map((system) => ({ ...system, runsAs: 'mapped' as const }));
    expect(() => openCredentialsFile(directory, { ...catalog, systems })).toThrow(
      '{"slurm":{"user":"slipway","key":"<jwt_key of slurm.conf, in base64>"}}',
    );
  });

  it('are read anew each time, so that a new token counts at once', async () => {
    write({ slurm: { user: 'slipway', token: 'old' }, unicore: user, nsg: user });
    const store = openCredentialsFile(directory, catalog)(systemName('slurm'));
    expect(await store.read()).toEqual({ user: 'slipway', token: 'old' });
    write({ slurm: { user: 'slipway', token: 'new' } });
    expect(await store.read()).toEqual({ user: 'slipway', token: 'new' });
  });

  it.each([0o640, 0o604, 0o620])('are refused where others have the mode %o', (mode) => {
    write({ slurm: user, unicore: user, nsg: user }, mode);
    expect(listProblems()).toEqual([
      `Others can read or change ${file}, which holds credentials. Run: chmod 600 ${file}`,
    ]);
  });

  it.each(['{"slurm": p4ss', '["p4ss"]', { slurm: 'p4ss' }, { slurm: { token: ['p4ss'] } }])(
    'are never shown where they cannot be read: %j',
    (content) => {
      write(content);
      expect(listProblems()).toEqual([
        `${file} must be a JSON object that has, for the name of each system, an object of texts.`,
      ]);
    },
  );

  it('are not asked for where a secret is named', () => {
    vi.stubEnv('HPC_SECRETS', '{"slurm":"a","unicore":"b","nsg":"c"}');
    expect(listProblems()).toEqual([]);
  });
});
