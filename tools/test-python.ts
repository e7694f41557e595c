import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith } from './run-tool.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'python');
const cache = join(root, 'node_modules/.cache/python');

/** What the tests need beside the package. */
const packages = [
  'build==1.6.1',
  'hatchling==1.33.0',
  'httpx==0.28.1',
  'hypothesis==6.170.15',
  'mypy==2.4.1',
  'pytest==9.2.0',
  'ruff==0.17.4',
];

/** Tests that need these are skipped where they cannot be had. */
const optional = ['pandas', 'ipykernel', 'nbclient', 'nbformat', 'matplotlib'];

/** Tests run the sources of this checkout. */
const variables = [`PYTHONPATH=${join(folder, 'src')}`, 'PYTHONDONTWRITEBYTECODE=1'];

const seconds = { probe: 60, install: 600, run: 1200 };

/**
 * `npm run test:python` checks the Python package: ruff, mypy and pytest. Where no environment can
 * be filled, it says so and fails nothing, because nothing else of this project needs Python.
 */
await exitWith(async () => {
  const missing = prepare();
  if (missing !== undefined) {
    process.stdout.write(`The Python package is not tested: ${missing}\n0 passed, 0 failed\n`);
    return 0;
  }
  const checks = [['ruff', 'format', '--check', '.'], ['ruff', 'check', '.'], ['mypy']] as const;
  const failed = checks.filter(([name, ...words]) => {
    const ok = runTool(name, words).status === 0;
    if (!ok) process.stdout.write(`failed: ${[name, ...words].join(' ')}\n`);
    return !ok;
  });
  const { stdout, status } = runTool('python', [
    '-m',
    'pytest',
    '-p',
    'no:cacheprovider',
    ...process.argv.slice(2),
  ]);
  const counts = readCounts(stdout);
  for (const [, name] of stdout.matchAll(/^(?:FAILED|ERROR) (.*)$/gm)) {
    process.stdout.write(`failed: python/${name}\n`);
  }
  // pytest counts nothing if it cannot even collect its tests.
  const broken = counts.failed + failed.length || (status === 0 ? 0 : 1);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  const passed = counts.passed + checks.length - failed.length;
  process.stdout.write(`${passed} passed, ${broken} failed${skipped}\n`);
  return broken > 0 ? 1 : 0;
});

/** Fills an environment, once per set of packages. Returns why that is not possible. */
function prepare(): string | undefined {
  const version = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 10))']);
  if (String(version.stdout).trim() !== 'True') return 'there is no python3 of 3.10 or later.';
  const mark = join(cache, 'installed.txt');
  const wanted = [...packages, ...optional].join('\n');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return undefined;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const made = spawnSync('python3', ['-m', 'venv', cache], { timeout: seconds.probe * 1000 });
  if (made.status !== 0) return 'python3 -m venv fails (on Debian: apt-get install python3-venv).';
  if (!install(['--no-deps', 'httpx==0.28.1'], seconds.probe)) {
    return 'the Python registry cannot be reached.';
  }
  if (!install(packages, seconds.install)) return 'the Python registry lacks packages.';
  if (!install(optional, seconds.install)) {
    process.stdout.write(`Tests that need ${optional.join(', ')} are skipped.\n`);
  }
  writeFileSync(mark, wanted);
  return undefined;
}

/** Gives up soon, because pip's own patience is minutes for each package. */
function install(wanted: readonly string[], limit: number): boolean {
  const quick = ['--quiet', '--disable-pip-version-check', '--timeout', '15', '--retries', '1'];
  const { status } = spawnSync(join(cache, 'bin/pip'), ['install', ...quick, ...wanted], {
    timeout: limit * 1000,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0;
}

function runTool(name: string, words: readonly string[]): SpawnSyncReturns<string> {
  const result = spawnSync('env', [...variables, join(cache, 'bin', name), ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: seconds.run * 1000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(result.stdout);
  return result;
}

function readCounts(output: string) {
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(lastLine)?.[1] ?? 0);
  const lastLine = output.trim().split('\n').at(-1) ?? '';
  return {
    passed: count('passed'),
    failed: count('failed') + count('error'),
    skipped: count('skipped'),
  };
}
