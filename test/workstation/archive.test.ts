import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { serverCommands } from '#tools/release/server-commands.ts';
import manifest from '../../package.json' with { type: 'json' };
import { findFreePort } from '../engines/find-free-port.ts';
import { readUntil } from '../fixtures/edition.ts';
import { buildArchive, hasBubblewrap, inside, openFolder, unpackArchive } from './archive.ts';

const most = 60_000_000;
const timeout = 240_000;

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

/** Ends the service itself, because bwrap would not tell it. Returns its exit code. */
async function stop(child: ChildProcess): Promise<unknown> {
  const service = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  const ended = once(child, 'exit');
  process.kill(Number(service), 'SIGTERM');
  return (await ended)[0];
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Built once for all tests. */
let built: ReturnType<typeof buildArchive>;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-release-'));
  built = buildArchive(folder, { TZ: 'Pacific/Auckland' });
  return () => rmSync(folder, { recursive: true });
}, timeout);

describe('the archive of a release', () => {
  it('has the same bytes each time, and says what is in it', { timeout }, () => {
    const { file, sum } = built;
    expect(buildArchive(openFolder(), { TZ: 'UTC', LANG: 'C' }).sum).toBe(sum);
    const folder = unpackArchive(file, openFolder());
    const files = listFiles(folder);
    const bytes = files.reduce((all, name) => all + statSync(join(folder, name)).size, 0);
    process.stdout.write(
      `The archive has ${(statSync(file).size / 1e6).toFixed(1)} MB, unpacked ${(bytes / 1e6).toFixed(1)} MB\n`,
    );
    expect(bytes).toBeLessThan(most);
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums.map((line) => line.slice(66)).sort()).toEqual(
      files.filter((name) => name !== 'SHA256SUMS').sort(),
    );
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
    const { components, metadata } = readJson(join(folder, 'sbom.cdx.json'));
    expect(metadata.component).toMatchObject({ name: 'slipway-server', version: manifest.version });
    const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const named = [...licences.matchAll(/^(\S+) (\d\S*) \(/gm)].map(
      ([, name, at]) => `${name}@${at}`,
    );
    const listed = components.map(
      (each: { name: string; version: string }) => `${each.name}@${each.version}`,
    );
    expect(listed.toSorted()).toEqual(named.toSorted());
    expect(listed).toEqual(expect.arrayContaining([`ssh2@${manifest.dependencies.ssh2}`]));
    const development = Object.keys(manifest.devDependencies).filter((name) =>
      /vitest|esbuild|cdk/.test(name),
    );
    expect(
      listed.filter((each: string) => development.includes(each.replace(/@[^@]*$/, ''))),
    ).toEqual([]);
  });

  it.runIf(hasBubblewrap)('serves jobs where nothing else is', { timeout }, async () => {
    const home = openFolder();
    const folder = unpackArchive(built.file, home);
    const server = `/srv/${folder.slice(home.length + 1)}/slipway-server`;
    const command = `/srv/${folder.slice(home.length + 1)}/slipway`;
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const settings = ['# Settings', `PORT=${port}`, 'SYSTEMS=simulated', 'SIM_HOUR_SECONDS=1'];
    writeFileSync(
      join(home, 'slipway.env'),
      [...settings, 'STATE_DIR="/srv/state"', ''].join('\n'),
    );
    const prefix = inside(home);
    const run = (words: readonly string[], more: readonly string[] = []) => {
      const [program = '', ...parameters] = [...prefix, 'env', ...more, ...words];
      const { status, stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8' });
      return { status, text: `${stdout}${stderr}` };
    };
    const tool = (...words: string[]) => run([server, '--settings', 'slipway.env', ...words]);
    const start = async (): Promise<ChildProcess> => {
      const [program = '', ...parameters] = prefix;
      const child = spawn(program, [...parameters, server, '--settings', 'slipway.env', 'start']);
      onTestFinished(() => void child.kill('SIGKILL'));
      await readUntil(child, /\/admin\/quotas\/.*\n/);
      return child;
    };
    for (const hidden of [import.meta.dirname, '/usr/lib/node_modules/npm']) {
      expect(run(['ls', hidden]).status, hidden).not.toBe(0);
    }
    expect(run([server, '--version']).text).toMatch(new RegExp(`^${manifest.version}`));
    const help = run([server, '--help']).text;
    for (const name of Object.keys(serverCommands)) {
      expect(help).toContain(`\n  ${name} `);
      if (name === 'start') continue;
      const { status, text } = run([server, name, '--help']);
      expect({ status, text }).toEqual({
        status: 0,
        text: expect.stringContaining(`slipway-server ${name}`),
      });
      expect(text).not.toContain('npm ');
    }
    const child = await start();
    const token = tool('token', '--user', '306328').text.trim();
    const asUser = [`SLIPWAY_URL=${url}`, `SLIPWAY_TOKEN=${token}`];
    mkdirSync(join(home, 'study'));
    writeFileSync(join(home, 'study/in.txt'), 'in');
    const submit = [
      'submit',
      'hpc_one',
      'study',
      '--command',
      'true',
      '--runtime',
      '30m',
      '--yes',
      '--wait',
    ];
    const submitted = run([command, ...submit], asUser);
    expect(submitted).toEqual({ status: 0, text: expect.stringContaining('done') });
    expect(tool('reconcile').text).toContain(' 0 wrong');
    expect(tool('backup', '/srv/backup').text).toContain(
      'Backed up /srv/state/data to /srv/backup',
    );
    const smoke = [server, 'smoke', '--base-url', url];
    expect(run(smoke, asUser)).toEqual({ status: 0, text: expect.any(String) });
    expect(await stop(child)).toBe(0);
    const again = await start();
    expect(run([command, 'jobs'], asUser).text).toContain('done');
    const page = await fetch(`${url}/console/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
    for (const path of ['docs/', 'openapi.json'])
      expect((await fetch(`${url}/${path}`)).status).toBe(200);
    const { version } = await (await fetch(`${url}/status/`)).json();
    expect(version).toMatch(new RegExp(`^${manifest.version}\\+`));
    expect(await stop(again)).toBe(0);
  });

  it('says which Node it needs', { timeout }, () => {
    const folder = unpackArchive(built.file, openFolder());
    const old = join(folder, 'old.cjs');
    writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });");
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--require', old, join(folder, 'slipway-server'), '--help'],
      { encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('Slipway needs Node 24 or later, and'),
    });
  });
});
