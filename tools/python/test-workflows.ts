import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { exitWith } from '../run-tool.ts';
import { endOf, fillEnvironment } from './fill-environment.ts';

const root = join(import.meta.dirname, '../..');
const python = join(root, 'python');
const plugin = join(python, 'snakemake-executor-plugin-slipway');
const cache = join(root, 'node_modules/.cache/workflows');

/** Snakemake itself, and what the tests and the packages of this checkout need. */
const packages = [
  'hatchling==1.33.0',
  'httpx==0.28.1',
  'hypothesis==6.170.15',
  'mypy==2.4.1',
  'pytest==9.2.0',
  'ruff==0.17.4',
  'snakemake==9.27.1',
  'snakemake-interface-common==1.23.0',
  'snakemake-interface-executor-plugins==9.4.0',
];

/** The packages are installed as people install them. Only what they need is there already. */
const install = ['install', '--quiet', '--no-build-isolation', '--no-deps', '--force-reinstall'];

const steps = [
  ['pip', ...install, python, plugin],
  ['ruff', 'format', '--check', '.'],
  ['ruff', 'check', '.'],
  ['mypy', '--cache-dir', join(cache, 'types')],
] as const;

/**
 * `npm run suite -- workflows` runs workflows of a real Snakemake on the laptop edition. Where no
 * environment can be filled, it says so and fails nothing. Arguments go to pytest.
 */
await exitWith(async () => {
  const missing = await fillEnvironment({ folder: cache, packages, probe: 'httpx==0.28.1' });
  if (missing !== undefined) {
    process.stdout.write(`Workflows are not tested: ${missing}\n`);
    return 0;
  }
  for (const step of steps) if ((await run(step)) !== 0) return 1;
  return run(['python', '-m', 'pytest', '-p', 'no:cacheprovider', ...process.argv.slice(2)]);
});

async function run([name, ...words]: readonly [string, ...string[]]): Promise<number> {
  // Compiled modules stay out of the checkout.
  const compiled = `PYTHONPYCACHEPREFIX=${join(cache, 'compiled')}`;
  const child = spawn('env', [compiled, join(cache, 'bin', name), ...words], {
    cwd: plugin,
    stdio: 'inherit',
  });
  return (await endOf(child)) ?? 1;
}
