import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { exitWith } from '../run-tool.ts';
import { endOf, fillEnvironment } from './fill-environment.ts';

const root = join(import.meta.dirname, '../..');
const python = join(root, 'python');
const plugins = ['snakemake-executor-plugin-slipway', 'slipway-parsl'].map((name) =>
  join(python, name),
);
const cache = join(root, 'node_modules/.cache/workflows');

/** Snakemake and Parsl, and what the tests and the packages of this checkout need. */
const packages = [
  'hatchling==1.33.0',
  'httpx==0.28.1',
  'hypothesis==6.170.15',
  'mypy==2.4.1',
  'parsl==2026.10.26',
  'pytest==9.2.0',
  'ruff==0.17.4',
  'snakemake==9.27.1',
  'snakemake-interface-common==1.23.0',
  'snakemake-interface-executor-plugins==9.4.0',
];

/** The packages are installed as people install them. Only what they need is there already. */
const install = ['install', '--quiet', '--no-build-isolation', '--no-deps', '--force-reinstall'];

/**
 * `npm run suite -- workflows` runs workflows of a real Snakemake and a real Parsl on the laptop
 * edition. Where no environment can be filled, it says so and fails nothing. Arguments go to pytest.
 */
await exitWith(async () => {
  const missing = await fillEnvironment({ folder: cache, packages, probe: 'httpx==0.28.1' });
  if (missing !== undefined) {
    process.stdout.write(`Workflows are not tested: ${missing}\n`);
    return 0;
  }
  const pytest = ['python', '-m', 'pytest', '-p', 'no:cacheprovider', ...process.argv.slice(2)];
  const results = [await run(python, ['pip', ...install, python, ...plugins])];
  for (const plugin of plugins) {
    results.push(await run(plugin, ['ruff', 'format', '--check', '.']));
    results.push(await run(plugin, ['ruff', 'check', '.']));
    results.push(await run(plugin, ['mypy', '--cache-dir', join(cache, 'types')]));
    results.push(await run(plugin, pytest));
  }
  return results.some((code) => code !== 0) ? 1 : 0;
});

async function run(cwd: string, [name = '', ...words]: readonly string[]): Promise<number> {
  // Compiled modules stay out of the checkout.
  const compiled = `PYTHONPYCACHEPREFIX=${join(cache, 'compiled')}`;
  const child = spawn('env', [compiled, join(cache, 'bin', name), ...words], {
    cwd,
    stdio: 'inherit',
  });
  return (await endOf(child)) ?? 1;
}
