import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resources } from '#lib/catalog/resources.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import type { SlurmSite } from '#lib/hpc/slurm/submit-jobs.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { installPackages } from './packages.ts';
import { pollUntil } from './poll-until.ts';

let cluster: Cluster;
let modules: string;

beforeAll(async () => {
  await installPackages(
    'environment-modules',
    'gcc',
    'libopenmpi-dev',
    'openmpi-bin',
    'libpmix2',
    'python3-mpi4py',
  );
  cluster = await startCluster({ nodes: 2 });
  modules = mkdtempSync('/tmp/slipway-modules-');
  mkdirSync(join(modules, 'solver'));
  writeFileSync(
    join(modules, 'solver', '4.2'),
    '#%Module1.0\nsetenv SOLVER_VERSION 4.2\nprepend-path PATH /opt/solver/bin\n',
  );
  writeFileSync(join(modules, 'ranks.c'), ranks);
  execFileSync('mpicc', ['-fopenmp', '-o', join(modules, 'ranks'), join(modules, 'ranks.c')]);
  execFileSync('chmod', ['-R', 'a+rX', modules]);
}, 300_000);

afterAll(async () => {
  await cluster?.close();
  if (modules) rmSync(modules, { recursive: true });
}, 60_000);

/** Each rank says how many there are, where it is, and how many threads it has. They add up their numbers. */
const ranks = `#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d of %d on %s with %d threads, sum %d\\n", rank, size,
         getenv("SLURMD_NODENAME"), omp_get_max_threads(), sum);
  MPI_Finalize();
}
`;

/** Both nodes are this machine, so ranks must not take those of the other node for neighbours. */
const overMpi =
  'export SLURM_MPI_TYPE=pmix OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo';

/** Runs a command to its end, and returns what it wrote. */
async function run(
  program: string,
  site: Partial<SlurmSite> = {},
  { cores = 1, ...more }: { readonly cores?: number } & Partial<Resources> = {},
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
    ...more,
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

  it('runs MPI over two nodes, a rank for each core', async () => {
    const site: Partial<SlurmSite> = { setup: [overMpi, 'export OMP_NUM_THREADS=1'] };
    const { stdout } = await run(`srun ${modules}/ranks`, site, { nodes: 2, cores: 2 });
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'rank 0 of 4 on node1 with 1 threads, sum 6',
      'rank 1 of 4 on node1 with 1 threads, sum 6',
      'rank 2 of 4 on node2 with 1 threads, sum 6',
      'rank 3 of 4 on node2 with 1 threads, sum 6',
    ]);
  });

  it('runs MPI with threads over two nodes, in as many tasks as the job says', async () => {
    const site: Partial<SlurmSite> = {
      coresAs: 'choice',
      setup: [overMpi],
    };
    const size = { nodes: 2, cores: 4, tasksPerNode: 2 };
    const { stdout } = await run(`srun ${modules}/ranks`, site, size);
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'rank 0 of 4 on node1 with 2 threads, sum 6',
      'rank 1 of 4 on node1 with 2 threads, sum 6',
      'rank 2 of 4 on node2 with 2 threads, sum 6',
      'rank 3 of 4 on node2 with 2 threads, sum 6',
    ]);
  });

  it('runs Python with MPI over two nodes', async () => {
    const code =
      'from mpi4py import MPI; world = MPI.COMM_WORLD; print(world.allreduce(world.rank), world.size)';
    const command = `srun python3 -c '${code}'`;
    const { stdout } = await run(command, { setup: [overMpi] }, { nodes: 2, cores: 2 });
    expect(stdout).toBe('6 4\n'.repeat(4));
  });
});
