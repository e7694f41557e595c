import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith } from '../run-tool.ts';
import { endOf, fillEnvironment } from './fill-environment.ts';
import { workflowPackages } from './workflow-packages.ts';

const root = join(import.meta.dirname, '../..');
const python = join(root, 'python');
const plugins = workflowPackages.map((name) => join(python, name));
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

/** The newest version that is whole in Maven's registry. It needs Java 17. */
const nextflow = '24.10.0';

/** Without these it runs too, and remembers no task: its own installer opens them to it. */
const opened = [
  ...['java.lang', 'java.io', 'java.nio', 'java.net', 'java.util'],
  ...['java.util.concurrent.locks', 'java.util.concurrent.atomic', 'sun.nio.ch', 'sun.nio.fs'],
];

/** The packages are installed as people install them. Only what they need is there already. */
const install = ['install', '--quiet', '--no-build-isolation', '--no-deps', '--force-reinstall'];

/**
 * `npm run suite -- workflows` runs workflows of a real Snakemake, Parsl and Nextflow on the laptop
 * edition. Where no environment can be filled, it says so and fails nothing. Arguments go to pytest.
 */
await exitWith(async () => {
  const missing = await fillEnvironment({ folder: cache, packages, probe: 'httpx==0.28.1' });
  if (missing !== undefined) {
    process.stdout.write(`Workflows are not tested: ${missing}\n`);
    return 0;
  }
  installNextflow();
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

/** The jars, and a command as its own installer writes one. Its tests skip themselves without it. */
function installNextflow(): void {
  const jars = join(cache, `nextflow-${nextflow}`);
  if (!existsSync(join(jars, `nextflow-${nextflow}.jar`))) {
    mkdirSync(jars, { recursive: true });
    const pom = join(jars, 'pom.xml');
    writeFileSync(pom, writePom());
    const goal = 'dependency:copy-dependencies';
    const words = ['-q', '-B', '-f', pom, goal, `-DoutputDirectory=${jars}`];
    if (spawnSync('mvn', words, { stdio: 'inherit' }).status !== 0) {
      process.stdout.write('Nextflow is not tested: it needs Java 17, Maven and its registry.\n');
      return;
    }
  }
  const words = opened.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);
  const start = `#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 ${words.join(' ')} -cp '${jars}/*' nextflow.cli.Launcher "$@"\n`;
  writeFileSync(join(cache, 'bin/nextflow'), start, { mode: 0o755 });
}

function writePom(): string {
  const place = (group: string, name: string, version: string) =>
    `<groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version>`;
  return `<project><modelVersion>4.0.0</modelVersion>${place('test', 'workflows', '1')}
<dependencies><dependency>${place('io.nextflow', 'nextflow', nextflow)}</dependency></dependencies>
</project>
`;
}

async function run(cwd: string, [name = '', ...words]: readonly string[]): Promise<number> {
  // Compiled modules stay out of the checkout.
  const compiled = `PYTHONPYCACHEPREFIX=${join(cache, 'compiled')}`;
  const child = spawn('env', [compiled, join(cache, 'bin', name), ...words], {
    cwd,
    stdio: 'inherit',
  });
  return (await endOf(child)) ?? 1;
}
