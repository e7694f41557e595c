import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { exitWith } from '../run-tool.ts';

const root = join(import.meta.dirname, '../..');
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

/** Tests that need these are skipped where they cannot be had. All are among the waiting ones. */
const optional = [
  'ipykernel==7.4.0',
  'matplotlib==3.11.2',
  'nbclient==0.11.0',
  'nbformat==5.11.1',
  'pandas==3.1.1',
];

/** Tests run the sources of this checkout. Compiled modules stay out of it. */
const variables = {
  PYTHONPATH: join(folder, 'src'),
  PYTHONPYCACHEPREFIX: join(cache, 'compiled'),
};

const seconds = { probe: 60, install: 600, run: 1200 };

/** The tool that writes the reference has the style of the package. */
const configured = ['--config', 'pyproject.toml', '.', '../tools/python'] as const;
const checks = [
  ['ruff', 'format', '--check', ...configured],
  ['ruff', 'check', ...configured],
  ['mypy'],
] as const;

/** Tests that mostly wait, for pip, for jobs or for kernels. They run beside all others. */
const waiting = [['package'], ['futures', 'magic', 'notebooks']].map((names) =>
  names.map((name) => `tests/test_${name}.py`),
);

/**
 * `npm run test:python` checks the Python package: ruff, mypy and pytest. Where no environment can
 * be filled, it says so and fails nothing, because nothing else of this project needs Python.
 * Arguments go to pytest.
 */
await exitWith(async () => {
  const missing = await prepare();
  if (missing !== undefined) {
    process.stdout.write(`The Python package is not tested: ${missing}\n0 passed, 0 failed\n`);
    return 0;
  }
  const given = process.argv.slice(2);
  const prepared = prepareOptional();
  const parts =
    given.length > 0
      ? [prepared.then(() => runTests(given))]
      : [
          ...waiting.map((files) => prepared.then(() => runTests(files))),
          runTests(waiting.flat().map((file) => `--ignore=${file}`)),
        ];
  const [tests, failures] = await Promise.all([Promise.all(parts), runChecks()]);
  const sum = (name: keyof Counts) => tests.reduce((whole, counts) => whole + counts[name], 0);
  const failed = sum('failed') + failures;
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  const passed = sum('passed') + checks.length - failures;
  process.stdout.write(`${passed} passed, ${failed} failed${skipped}\n`);
  return failed > 0 ? 1 : 0;
});

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

async function runTests(words: readonly string[]): Promise<Counts> {
  const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', ...words];
  const { output, status } = await runTool('python', pytest);
  for (const [, name] of output.matchAll(/^(?:FAILED|ERROR) (.*)$/gm)) {
    process.stdout.write(`failed: python/${name}\n`);
  }
  const counts = readCounts(output);
  // pytest counts nothing if it cannot even collect its tests.
  return { ...counts, failed: counts.failed || (status === 0 ? 0 : 1) };
}

/** Returns how many checks failed. */
async function runChecks(): Promise<number> {
  let failures = 0;
  for (const [name, ...words] of checks) {
    const { status } = await runTool(name, words);
    if (status === 0) continue;
    process.stdout.write(`failed: ${[name, ...words].join(' ')}\n`);
    failures += 1;
  }
  return failures;
}

/** Fills an environment, once per set of packages. Returns why that is not possible. */
async function prepare(): Promise<string | undefined> {
  const version = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 10))']);
  if (String(version.stdout).trim() !== 'True') return 'there is no python3 of 3.10 or later.';
  if (isInstalled('packages', packages)) return undefined;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const made = spawnSync('python3', ['-m', 'venv', cache], { timeout: seconds.probe * 1000 });
  if (made.status !== 0) return 'python3 -m venv fails (on Debian: apt-get install python3-venv).';
  if (!(await install(['--no-deps', 'httpx==0.28.1'], seconds.probe))) {
    return 'the Python registry cannot be reached.';
  }
  if (!(await install(packages, seconds.install))) return 'the Python registry lacks packages.';
  writeFileSync(join(cache, 'packages.txt'), packages.join('\n'));
  return undefined;
}

async function prepareOptional(): Promise<void> {
  if (isInstalled('optional', optional)) return;
  if (await install(optional, seconds.install)) {
    writeFileSync(join(cache, 'optional.txt'), optional.join('\n'));
  } else {
    process.stdout.write(`Tests that need ${optional.join(', ')} are skipped.\n`);
  }
}

function isInstalled(name: string, wanted: readonly string[]): boolean {
  const mark = join(cache, `${name}.txt`);
  return existsSync(mark) && readFileSync(mark, 'utf8') === wanted.join('\n');
}

/** Gives up soon, because pip's own patience is minutes for each package. */
async function install(wanted: readonly string[], limit: number): Promise<boolean> {
  const quick = ['--quiet', '--disable-pip-version-check', '--no-compile', '--timeout', '15'];
  const child = spawn(join(cache, 'bin/pip'), ['install', ...quick, '--retries', '1', ...wanted], {
    timeout: limit * 1000,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return (await endOf(child)) === 0;
}

/** Runs a program of the environment, and prints what it says once it has ended. */
async function runTool(name: string, words: readonly string[]) {
  const child = spawn('env', [...assign(variables), join(cache, 'bin', name), ...words], {
    cwd: folder,
    timeout: seconds.run * 1000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = endOf(child);
  const output = await readText(child.stdout);
  process.stdout.write(output);
  return { output, status: await ended };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
}

function assign(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}

function readCounts(output: string): Counts {
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(lastLine)?.[1] ?? 0);
  const lastLine = output.trim().split('\n').at(-1) ?? '';
  return {
    passed: count('passed'),
    failed: count('failed') + count('error'),
    skipped: count('skipped'),
  };
}
