import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { forgetPodman, onlyThere, preparePodman, testImage } from '#test/fixtures/podman.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';

let cluster: Cluster;
let home: string;
const ids = '400000-465535';
const parts = ['.local', '.cache', '.config'];

/** Podman without root needs a home that can be written, and numbers for the users of containers. */
beforeAll(async () => {
  cluster = await startCluster();
  const { user } = cluster;
  home = execFileSync('getent', ['passwd', user], { encoding: 'utf8' }).split(':')[5] ?? '';
  for (const part of parts) {
    mkdirSync(join(home, part), { recursive: true });
    execFileSync('chown', [user, join(home, part)]);
  }
  execFileSync('usermod', ['--add-subuids', ids, '--add-subgids', ids, user]);
  const missing = await preparePodman(['runuser', '-u', user, '--', 'env', `HOME=${home}`]);
  if (missing !== undefined) throw new Error(missing);
}, 300_000);

afterAll(async () => {
  const { user } = cluster;
  execFileSync(
    'runuser',
    ['-u', user, '--', 'env', `HOME=${home}`, 'podman', 'system', 'migrate'],
    {
      cwd: '/',
    },
  );
  for (const part of parts) rmSync(join(home, part), { recursive: true, force: true });
  forgetPodman();
  await cluster.close();
  // Refused while a process of the account still ends.
  const dropNumbers = () => {
    const words = ['--del-subuids', ids, '--del-subgids', ids, user];
    return spawnSync('usermod', words).status;
  };
  await pollUntil('the numbers are given back', 60, async () => dropNumbers() === 0 || undefined);
}, 60_000);

function connect() {
  return createSlurmConnector({
    baseUrl: cluster.url,
    credentials: {
      read: async () => ({ user: cluster.user, token: cluster.token }),
      forget() {},
    },
    partition: cluster.partition,
    workDirectory: cluster.workDirectory,
    keepsDirectories: true,
    containers: { runtime: 'podman', images: ['localhost/slipway-tests/*'] },
  });
}

async function run(program: string, image = testImage) {
  const connector = connect();
  const job = { jobId: jobId(randomUUID().toUpperCase()), owner: userId('306328') };
  const order = { title: 'a title', extras: {}, nodes: 1, coresPerNode: 1, hours: 0.1 };
  const environment = { SLIPWAY_ROW: "a 'row'" };
  const handle = await connector.submit({ ...job, ...order, environment, program, image });
  const ended = await pollUntil('the job has ended', 120, async () => {
    const found = (await connector.lookUp([{ ...job, handle }])).get(job.jobId);
    return found?.state === 'ended' ? found : undefined;
  });
  const read = (name: string) =>
    readFileSync(join(cluster.workDirectory, job.jobId, 'job', name), 'utf8');
  return { ended, stdout: read('stdout'), stderr: read('stderr') };
}

it('runs a command that only the image has, as the account of the job', async () => {
  const { ended, stdout } = await run(`${onlyThere} "$SLIPWAY_ROW"; id -u; touch result; exit 3`);
  const uid = execFileSync('id', ['-u', cluster.user], { encoding: 'utf8' });
  expect(stdout).toBe(`only here: a 'row'\n${uid}`);
  expect(ended).toMatchObject({ failed: true, reason: 'The command ended with exit code 3.' });
  expect(ended).not.toHaveProperty('lacksImage');
});

it('does not begin without its image, and says why', async () => {
  const missing = 'localhost/slipway-tests/missing:1';
  const { ended, stdout, stderr } = await run('echo ran', missing);
  expect(ended).toMatchObject({ failed: true, lacksImage: 'The end of stderr says why.' });
  expect(stdout).toBe('');
  expect(stderr).toContain(`slipway: The image ${missing} could not be fetched.`);
});

it('leaves nothing running after a cancel', async () => {
  const connector = connect();
  const job = { jobId: jobId(randomUUID().toUpperCase()), owner: userId('306328') };
  const order = { title: 'a title', extras: {}, nodes: 1, coresPerNode: 1, hours: 0.1 };
  const program = 'touch begun; sleep 7654 & wait';
  const handle = await connector.submit({ ...job, ...order, program, image: testImage });
  const begun = join(cluster.workDirectory, job.jobId, 'job/begun');
  await expect.poll(() => existsSync(begun)).toBe(true);
  await connector.cancel({ ...job, handle });
  const runs = () => spawnSync('pgrep', ['-f', 'sleep 7654']).status === 0;
  await expect.poll(runs).toBe(false);
});
