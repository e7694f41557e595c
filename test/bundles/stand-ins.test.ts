import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bundleOptions,
  describeVersion,
  functionBuild,
  functionEntry,
} from '#infra/constructs/functions/bundle-options.ts';
import {
  connectorFile,
  connectorStandIns,
  standInsFor,
} from '#infra/constructs/functions/stand-ins.ts';
import { listBundledPackages } from '#infra/constructs/functions/third-party.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { kindNames } from '#lib/catalog/kinds/system-kinds.ts';
import { openCallCounter } from '#lib/stand-ins/call-counter.ts';
import { open } from '#lib/stand-ins/left-out-connector.ts';
import { openSlurmBySsh } from '#lib/stand-ins/slurm-ssh.ts';
import { openUserNumbers } from '#lib/stand-ins/user-numbers.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import packageFile from '../../package.json' with { type: 'json' };

/** The files of a built read-files, which talks to HPC systems. */
async function listInputs(alias: Readonly<Record<string, string>>): Promise<string[]> {
  const { metafile } = await build({
    ...bundleOptions({ catalog }),
    ...functionEntry('files/read-files'),
    alias: { ...alias },
    outfile: 'index.js',
    metafile: true,
    write: false,
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

const standIns = standInsFor({ catalog });
const kinds = kindNames;

describe('a connector', () => {
  it('of a kind that the catalog names is in the bundle', async () => {
    const alias = connectorStandIns(new Set(kinds));
    expect(alias).toEqual({});
    const inputs = (await listInputs(alias)).join('\n');
    for (const kind of kinds) expect(inputs).toContain(connectorFile(kind));
    expect(inputs).toContain('fast-xml-parser');
  });

  it.each(kinds)('of the kind %s, which the catalog does not name, is not', async (kind) => {
    const others = kinds.filter((each) => each !== kind);
    const inputs = (await listInputs(connectorStandIns(new Set(others)))).join('\n');
    expect(inputs).not.toContain(dirname(connectorFile(kind)));
    for (const other of others) expect(inputs).toContain(connectorFile(other));
  });

  it('that is not there says so', () => {
    expect(() => open({ kind: 'slurm' })).toThrow('The connector to slurm is left out');
  });
});

describe('ssh', () => {
  const slurm = { kind: 'slurm', partition: 'batch', workDirectory: '/scratch' } as const;
  const node = { host: 'login.example.org', user: 'slipway', hostKeys: ['ssh-ed25519 AAAA'] };
  const withConnector = (connector: HpcSystem['connector']) => ({
    ...catalog,
    systems: catalog.systems.map((system) => ({ ...system, connector })),
  });

  it('is in a bundle only where a system is reached by it', async () => {
    const [without, within] = await Promise.all([
      listInputs(
        standInsFor({ catalog: withConnector({ ...slurm, baseUrl: 'https://slurm.example.org' }) }),
      ),
      listInputs(standInsFor({ catalog: withConnector({ ...slurm, reach: { ssh: node } }) })),
    ]);
    expect(without.filter((input) => /ssh2|slurm\/ssh\//.test(input))).toEqual([]);
    expect(within).toContain('lib/hpc/slurm/slurm-by-ssh.ts');
    expect(within).toContain('node_modules/ssh2/lib/client.js');
    expect(openSlurmBySsh).toThrow('left out');
  });

  it('is in a bundle without its native parts, and with its licence', async () => {
    const parts = { catalog: withConnector({ ...slurm, reach: { ssh: node } }) };
    const options = functionBuild('schedules/track-jobs', 'index.js', parts);
    const { metafile } = await build({ ...options, write: false });
    const packages = listBundledPackages(metafile);
    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['asn1', 'bcrypt-pbkdf', 'safer-buffer', 'ssh2', 'tweetnacl']),
    );
    expect(packages.map(({ name }) => name)).not.toContain('cpu-features');
    expect(packages.filter(({ licence, text }) => licence === 'UNKNOWN' || text === '')).toEqual(
      [],
    );
  });
});

describe('the numbers of users', () => {
  it('are in a bundle only where the service gives them', async () => {
    const [without, within] = [
      await listInputs(standIns),
      await listInputs(standInsFor({ catalog, userIds: 'assigned' })),
    ];
    expect(without).not.toContain('lib/users/user-numbers.ts');
    expect(within).toContain('lib/users/user-numbers.ts');
    expect(openUserNumbers).toThrow('left out');
  });
});

describe('the count of calls', () => {
  it('is in a bundle only where the function has the table', async () => {
    const within = await listInputs(standIns);
    const without = await listInputs(standInsFor({ catalog, hasTable: false }));
    expect(within).toContain('lib/users/call-counter.ts');
    expect(without).not.toContain('lib/users/call-counter.ts');
    expect(openCallCounter()).toBeUndefined();
  });
});

describe('a part of the SDK', () => {
  let inputs: string[];
  beforeAll(async () => {
    inputs = await listInputs(standIns);
  });

  it.each(Object.keys(standIns).filter((name) => name.startsWith('@')))(
    '%s has its stand-in in the bundle',
    (name) => {
      const file = standIns[name]?.replace(/.*\/lib\//, 'lib/') ?? '';
      expect(inputs.some((input) => input.endsWith(file))).toBe(true);
      expect(inputs.filter((input) => input.includes(`node_modules/${name}/`))).toEqual([]);
    },
  );
});

describe('the version', () => {
  it('of a bundle is the one that it was built with', async () => {
    const inputs = await listInputs(standIns);
    expect(inputs).toContain('lib/stand-ins/running-version.ts');
    expect(inputs).not.toContain('package.json');
    const { BUILT_IN_VERSION } = bundleOptions({ catalog }).define;
    expect(JSON.parse(BUILT_IN_VERSION)).toBe(describeVersion());
  });

  it.each([
    { commit: '771cafa', told: `${packageFile.version}+771cafa` },
    { commit: undefined, told: packageFile.version },
  ])('is told with the commit where that is known: $commit', ({ commit, told }) => {
    expect(describeVersion(() => commit)).toBe(told);
  });

  it('has the commit of this checkout', () => {
    const head = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
    const [, commit = ''] = describeVersion().split('+');
    const [hash = ''] = commit.split('-');
    // What was unpacked from an archive has neither.
    expect(head.status === 0 ? head.stdout.startsWith(hash) && hash !== '' : commit === '').toBe(
      true,
    );
  });
});
