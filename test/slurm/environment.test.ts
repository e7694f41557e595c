import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import type { SlurmSite } from '#lib/hpc/slurm/submit-jobs.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { installPackages } from './packages.ts';
import { pollUntil } from './poll-until.ts';

let cluster: Cluster;
let modules: string;

beforeAll(async () => {
  await installPackages('environment-modules');
  cluster = await startCluster();
  modules = mkdtempSync('/tmp/slipway-modules-');
  mkdirSync(join(modules, 'solver'));
  writeFileSync(
    join(modules, 'solver', '4.2'),
    '#%Module1.0\nsetenv SOLVER_VERSION 4.2\nprepend-path PATH /opt/solver/bin\n',
  );
  execFileSync('chmod', ['-R', 'a+rX', modules]);
}, 300_000);

afterAll(async () => {
  await cluster?.close();
  if (modules) rmSync(modules, { recursive: true });
}, 60_000);

/** Runs a command to its end, and returns what it wrote. */
async function run(
  program: string,
  site: Partial<SlurmSite> = {},
  { cores = 1, className }: { readonly cores?: number; readonly className?: string } = {},
) {
  const connector = createSlurmConnector({
    baseUrl: cluster.url,
    credentials: {
      read: async () => ({ user: cluster.user, token: cluster.token }),
      forget() {},
    },
    partition: cluster.partition,
    workDirectory: cluster.workDirectory,
    keepsDirectories: true,
    ...site,
  });
  const job = { jobId: jobId(randomUUID().toUpperCase()), owner: userId('306328') };
  const handle = await connector.submit({
    ...job,
    title: 'a title',
    extras: {},
    program,
    nodes: 1,
    coresPerNode: cores,
    hours: 0.1,
    className,
  });
  await pollUntil('the job has ended', 60, async () => {
    const found = (await connector.lookUp([{ ...job, handle }])).get(job.jobId);
    return found?.state === 'ended' || undefined;
  });
  const read = (name: string) =>
    readFileSync(join(cluster.workDirectory, job.jobId, 'job', name), 'utf8');
  return { stdout: read('stdout'), stderr: read('stderr') };
}

describe('the environment of a job on a real Slurm', () => {
  it('has the home, the names and the shell of its account', async () => {
    const { stdout } = await run(
      'printf "%s\\n" "$HOME" "$USER" "$LOGNAME"; test -x "$SHELL" && echo shell',
    );
    expect(stdout).toBe(`/usr/games\n${cluster.user}\n${cluster.user}\nshell\n`);
  });

  it('has no modules in a plain shell, and those of the site in a login shell', async () => {
    const load = `module use ${modules} && module load solver && echo "$SOLVER_VERSION"`;
    const plain = await run(load);
    expect(plain).toMatchObject({ stdout: '', stderr: expect.stringContaining('module') });
    expect((await run(load, { shell: 'login' })).stdout).toBe('4.2\n');
  });

  it('runs the lines of the system and of the class before the command, in its shell', async () => {
    const site: Partial<SlurmSite> = {
      shell: 'login',
      setup: [`module use ${modules}`],
      classes: [{ name: 'solving', setup: ['module load solver', "quoted='it is'"] }],
    };
    const command =
      'echo "$SOLVER_VERSION $quoted"; case $PATH in /opt/solver/bin:*) echo first ;; esac';
    expect((await run(command, site, { className: 'solving' })).stdout).toBe('4.2 it is\nfirst\n');
  });

  it('counts cores as tasks, or as threads of one task', async () => {
    const command = 'echo "$SLURM_NTASKS $SLURM_CPUS_PER_TASK"; srun bash -c \'nproc\'';
    expect((await run(command, {}, { cores: 2 })).stdout).toMatch(/^2 \n\d+\n\d+\n$/);
    const threads = await run(command, { coresAs: 'threads' }, { cores: 2 });
    expect(threads.stdout).toMatch(/^1 2\n\d+\n$/);
  });
});
