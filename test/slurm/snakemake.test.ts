import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillEnvironment } from '#tools/python/fill-environment.ts';
import { projectRoot } from '../fixtures/edition.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

const run = promisify(execFile);
const python = join(projectRoot, 'python');
const plugin = join(python, 'snakemake-executor-plugin-slipway');
const environment = join(projectRoot, 'node_modules/.cache/snakemake-slurm');
const bin = (name: string) => join(environment, 'bin', name);

const packages = [
  'hatchling==1.33.0',
  'httpx==0.28.1',
  'snakemake==9.27.1',
  'snakemake-executor-plugin-slurm==2.8.0',
];

const account = 'proj_hpc_one_01';

/** Between two looks at the jobs, of either executor and of the service. */
const intervalSeconds = 5;

let cluster: Cluster;
let slipway: ServiceOnSlurm;

beforeAll(async () => {
  // Jobs are another user, who may not see a Python in the home of whoever runs the tests.
  const wanted = { folder: environment, packages, probe: 'httpx==0.28.1' };
  const missing = await fillEnvironment({ ...wanted, python: '/usr/bin/python3' });
  if (missing !== undefined) throw new Error(missing);
  const own = ['install', '--quiet', '--no-build-isolation', '--no-deps', '--force-reinstall'];
  await run(bin('pip'), [...own, python, plugin]);
  // The user of the jobs cannot write there, so each start of Snakemake would compile it again.
  await run(bin('python'), ['-m', 'compileall', '-q', join(environment, 'lib')]);
  // Without accounting, the executor for Slurm does not hear of the end of jobs.
  cluster = await startCluster({ hasAccounting: true, accounts: [account], limitsJobs: true });
  slipway = await startServiceOn(cluster, { account, pollFloorSeconds: intervalSeconds });
}, 900_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

const shared = `jobs: 8
default-resources:
  runtime: 5
`;

/** What somebody writes into a profile, for the same jobs. */
const profiles = {
  "Snakemake's own executor for Slurm": `executor: slurm
${shared}  slurm_partition: hpc_one
  slurm_account: ${account}
seconds-between-status-checks: ${intervalSeconds}
slurm-init-seconds-before-status-checks: ${intervalSeconds}
`,
  'Slipway, on a shared disk': `executor: slipway
slipway-system: hpc_one
${shared}seconds-between-status-checks: ${intervalSeconds}
`,
  'Slipway, files travel with the jobs': `executor: slipway
slipway-system: hpc_one
slipway-python: ${bin('python')}
shared-fs-usage: none
${shared}seconds-between-status-checks: ${intervalSeconds}
`,
};

const report = 'left\t9\t5.0\nright\t9\t5.0\n9 left\n9 right\n';

it('runs the same workflow as the executor for Slurm, with the same results', async () => {
  const { url, issuer } = slipway.service;
  const ways = Object.entries(profiles);
  const times = new Map<string, string[]>();
  // There and back, so that a machine that gets busier slows all ways.
  for (const [at, [name, profile]] of [...ways, ...ways.toReversed()].entries()) {
    const folder = join(cluster.workDirectory, `twelve-${at}`);
    await cp(join(plugin, 'tests/twelve'), folder, { recursive: true });
    await mkdir(join(folder, 'profiles/default'), { recursive: true });
    await writeFile(join(folder, 'profiles/default/config.yaml'), profile + (await adapt(folder)));
    await run('chown', ['-R', `${cluster.user}:`, folder]);
    const began = performance.now();
    const output = await snakemake(folder, {
      SLURM_CONF: cluster.configFile,
      SLIPWAY_URL: url,
      SLIPWAY_TOKEN: issuer.issueToken({ user: `${2000 + at}` }),
    });
    const seconds = Math.round((performance.now() - began) / 1000);
    const written = await readFile(join(folder, 'report.txt'), 'utf8').catch(() => output);
    expect(written, name).toBe(report);
    const load = loadavg()[0]?.toFixed(1);
    times.set(name, [...(times.get(name) ?? []), `${seconds} s (${load})`]);
  }
  const rows = ways.map(([name, profile]) => {
    const lines = profile.trim().split('\n').length;
    return `| ${[name, lines, ...(times.get(name) ?? [])].join(' | ')} |\n`;
  });
  process.stdout.write(rows.join(''));
}, 2_400_000);

/**
 * Clusters have homes, and their configuration where all commands look for it: Snakemake's executor
 * takes the variable away that names another one.
 */
async function adapt(folder: string): Promise<string> {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const srun = `#!/bin/sh\nSLURM_CONF=${cluster.configFile} exec /usr/bin/srun "$@"\n`;
  await writeFile(join(programs, 'srun'), srun, { mode: 0o755 });
  return `precommand: export HOME=${folder} PATH=${programs}:$PATH\n`;
}

/** As the user of the cluster, in a folder of theirs. Returns all that it prints. */
async function snakemake(folder: string, variables: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env;
  const group = (await run('id', ['-g', cluster.user])).stdout.trim();
  const as = ['--reuid', cluster.user, '--regid', group, '--clear-groups'];
  const child = spawn('setpriv', [...as, bin('snakemake')], {
    cwd: folder,
    env: { ...variables, HOME: folder, PATH: `${join(environment, 'bin')}:${PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await once(child, 'close');
  return output;
}
