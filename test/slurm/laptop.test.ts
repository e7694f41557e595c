import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip } from '../fixtures/build-zip.ts';
import { openHome, projectRoot } from '../fixtures/edition.ts';
import { findBatchJob } from './batch-jobs.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { Researcher } from './researcher.ts';

/** A user that every Debian has, so that none is made. */
const account = 'news';
const user = '306328';

let cluster: Cluster;
let workDirectory: string;
beforeAll(async () => {
  cluster = await startCluster();
  workDirectory = await cluster.makeDirectories(account);
}, 300_000);
afterAll(() => cluster?.close(), 60_000);

/** The catalog that ships, with the third system of docs/catalog.md: this cluster, each as himself. */
function writeCatalog(): string {
  const shipped = JSON.parse(readFileSync(join(projectRoot, 'lib/catalog/catalog.json'), 'utf8'));
  const page = readFileSync(join(projectRoot, 'docs/catalog.md'), 'utf8');
  const example = /```json\n(\{\n {2}"name": "mahti"[^`]*)```/.exec(page)?.[1];
  if (example === undefined) throw new Error('docs/catalog.md has no example of a third system.');
  const mahti = JSON.parse(example);
  const { url: baseUrl, partition } = cluster;
  const connector = { ...mahti.connector, baseUrl, partition, workDirectory, pollFloorSeconds: 1 };
  const system = { ...mahti, connector, runsAs: 'mapped' };
  return JSON.stringify({ systems: [...shipped.systems, system] });
}

describe('npm run catalog:check -- --try', () => {
  it('runs a job as each account, and says what is wrong with it', async () => {
    const home = openHome();
    await writeFile(join(home.path, 'centre.json'), writeCatalog());
    await mkdir(join(home.path, '.slipway'));
    const credentials = { mahti: { user: cluster.user, key: cluster.key } };
    const file = join(home.path, '.slipway/credentials.json');
    await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
    const check = (...words: string[]) => {
      const tool = [join(projectRoot, 'tools/catalog/catalog-check.ts'), '--try', ...words];
      const env = { ...process.env, CATALOG: './centre.json' };
      return spawnSync(process.execPath, tool, { cwd: home.path, encoding: 'utf8', env });
    };
    const good = check('--as', account);
    expect(good.stdout).toMatch(/^ok +mahti answers at http/m);
    expect(good.stdout).toMatch(/^ok +mahti: a job as 'news' \(partition .*\) \(\d+\) ran\.$/m);
    expect(good.status).toBe(0);
    // An account without a directory of its own, and one that Slurm does not know.
    const bad = check('--as', 'irc', '--as', 'nobody_such');
    expect(bad.status).toBe(1);
    expect(bad.stdout).toMatch(/^wrong +mahti: a job as 'irc' .*workDirectory .*irc.* failed\./m);
    expect(bad.stdout).toMatch(/^wrong +mahti: a job as 'nobody_such' .*was not taken\./m);
  }, 300_000);
});

describe('a laptop edition with a Slurm that only its catalog names', () => {
  it('runs a job there as the account that an administrator entered, and hands out its files', async () => {
    const home = openHome();
    await writeFile(join(home.path, 'centre.json'), writeCatalog());
    await mkdir(join(home.path, '.slipway'));
    const credentials = { mahti: { user: cluster.user, key: cluster.key } };
    const file = join(home.path, '.slipway/credentials.json');
    await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
    const { url, welcome } = await home.start({ CATALOG: './centre.json', DATA_DIR: 'memory' });
    const [token = '', adminToken = ''] = welcome.match(/^ey\S+$/gm) ?? [];
    const ada = new Researcher({ url, token, user });
    const zip = buildZip([{ name: 'in.txt', content: 'forty-two' }]);
    const command = 'cat in.txt >out.txt; id -un >as.txt';

    await expect(ada.submit(command, { hpc: 'mahti' })).rejects.toThrow('account-missing');
    const entered = await fetch(`${url}/admin/users/${user}/accounts/mahti/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account, reason: 'Her account at the centre.' }),
    });
    expect(entered.status).toBe(201);

    const { path, body } = await ada.submit(command, { hpc: 'mahti', zip });
    expect(await ada.waitForEnd(path, 120)).toMatchObject({ stage: 'SUCCESSFUL', failed: false });
    expect(await findBatchJob(cluster, body.job_id)).toMatchObject({ state: 'COMPLETED' });
    const files = await ada.listFiles(path);
    const read = async (name: string) => {
      const { fileid = '' } = files.find(({ filename }) => filename === name) ?? {};
      return (await ada.fetchFile(path, fileid)).toString();
    };
    expect(await read('out.txt')).toBe('forty-two');
    expect(await read('as.txt')).toBe(`${account}\n`);
  }, 300_000);
});
