import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { openIssuer } from '#local/issuer.ts';
import { type Home, openHome, projectRoot } from '../fixtures/edition.ts';
import { findBatchJob } from './batch-jobs.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { Researcher } from './researcher.ts';

/** Two users that every Debian has, so that none is made. The others never submit. */
const people = ['news', 'irc'];
const users = 500;
const project = 'project_2001234';

let cluster: Cluster;
let workDirectory: string;
beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true, accounts: ['other'], limitsJobs: true });
  workDirectory = await cluster.makeDirectories(...people);
}, 400_000);
afterAll(() => cluster?.close(), 60_000);

/** The third system of docs/catalog.md: this cluster, with the account in a claim of the token. */
function writeCatalog(): string {
  const page = readFileSync(join(projectRoot, 'docs/catalog.md'), 'utf8');
  const example = /```json\n(\{\n {2}"name": "mahti"[^`]*)```/.exec(page)?.[1];
  if (example === undefined) throw new Error('docs/catalog.md has no example of a third system.');
  const mahti = JSON.parse(example);
  const { url: baseUrl, partition } = cluster;
  const site = { baseUrl, partition, workDirectory, pollFloorSeconds: 1, account: '{project}' };
  const connector = { ...mahti.connector, ...site, shell: 'plain' };
  const projects = [{ number: 90, name: project, maxLivingJobs: 100 }];
  const accountClaim = { name: 'mail', pattern: '([a-z0-9.]+)@example\\.org' };
  const system = { ...mahti, projects, connector, runsAs: 'mapped', accountClaim };
  return JSON.stringify({ systems: [system] });
}

/** The folder of hooks that docs/hooks.md describes, and a sacctmgr that finds this cluster. */
async function writeHooks(home: Home) {
  const [folder, bin] = [join(home.path, 'hooks'), join(home.path, 'bin')];
  for (const each of [folder, bin, join(home.path, '.slipway')]) await mkdir(each, { mode: 0o755 });
  const program = join(projectRoot, 'docs/examples/hooks/slurm-associations');
  const copy = join(folder, 'slurm-associations');
  writeFileSync(copy, readFileSync(program), { mode: 0o755 });
  for (const type of ['member.joined', 'account.mapped']) symlinkSync(copy, join(folder, type));
  const script = `#!/bin/sh\nSLURM_CONF=${cluster.configFile} exec /usr/bin/sacctmgr "$@"\n`;
  writeFileSync(join(bin, 'sacctmgr'), script, { mode: 0o755 });
  const credentials = { mahti: { user: cluster.user, key: cluster.key } };
  const file = join(home.path, '.slipway/credentials.json');
  writeFileSync(file, JSON.stringify(credentials), { mode: 0o600 });
  return { HOOKS_DIR: folder, PATH: `${bin}:${process.env.PATH}` };
}

async function listAssociated(): Promise<string[]> {
  const words = ['show', 'association', `account=${project}`, 'format=user'];
  const answer = await cluster.ask('sacctmgr', '--noheader', '--parsable2', ...words);
  return answer.split('\n').filter((line) => line !== '');
}

describe('five hundred users whose tokens name their accounts', () => {
  it('get their associations from the hook as they come, and two of them run jobs', async () => {
    const home = openHome();
    writeFileSync(join(home.path, 'centre.json'), writeCatalog());
    const environment = await writeHooks(home);
    const settings = { ...environment, CATALOG: './centre.json', DATA_DIR: './data' };
    const { url } = await home.start(settings);
    const issuer = openIssuer(join(home.path, '.slipway'));
    const numbers = Array.from({ length: users }, (_, index) => index + 1);
    const accountOf = (user: number) => people[user - 1] ?? `u.${user}`;
    const tokenOf = (user: number, account = accountOf(user)) =>
      issuer.issueToken({ user: String(user), claims: { mail: `${account}@example.org` } });

    const start = Date.now();
    await mapInParallel(numbers, 8, async (user) => {
      const headers = { authorization: `Bearer ${tokenOf(user)}` };
      expect((await fetch(`${url}/quotas/`, { headers })).status).toBe(200);
    });
    // Asking takes time from those who are asked for.
    await expect
      .poll(async () => (await listAssociated()).length, { timeout: 900_000, interval: 5_000 })
      .toBe(users);
    console.info(`${users} users were associated in ${Math.round((Date.now() - start) / 1000)} s.`);
    expect((await listAssociated()).sort()).toEqual(numbers.map(accountOf).sort());

    for (const user of [1, 2]) {
      const person = new Researcher({ url, token: tokenOf(user), user: String(user) });
      const { path, body } = await person.submit('id -un >as.txt', { hpc: 'mahti' });
      expect(await person.waitForEnd(path, 120)).toMatchObject({ stage: 'SUCCESSFUL' });
      expect(await findBatchJob(cluster, body.job_id)).toMatchObject({ state: 'COMPLETED' });
      const [file] = (await person.listFiles(path)).filter(({ filename }) => filename === 'as.txt');
      expect((await person.fetchFile(path, file?.fileid ?? '')).toString()).toBe(
        `${accountOf(user)}\n`,
      );
    }
    // slurmdbd hears of jobs a moment later.
    const readCharged = async () => {
      const charged = await cluster.ask('sacct', '-a', '-X', '-n', '-P', '-o', 'user,account');
      return [...new Set(charged.split('\n'))].sort();
    };
    await expect
      .poll(readCharged, { timeout: 120_000, interval: 1_000 })
      .toEqual(people.map((person) => `${person}|${project}`).sort());

    const other = new Researcher({ url, token: tokenOf(9001, 'news'), user: '9001' });
    await expect(other.submit('true', { hpc: 'mahti' })).rejects.toThrow(
      "your sign-in names 'news', which belongs to another user of this service",
    );
  }, 1_200_000);
});
