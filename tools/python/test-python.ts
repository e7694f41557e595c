import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { exitWith } from '../run-tool.ts';
import { addPackages, endOf, fillEnvironment } from './fill-environment.ts';

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
  'pyright==1.1.414',
  'pytest==9.2.0',
  'ruff==0.17.4',
];

/** Tests that need these are skipped where they cannot be had. All are among the waiting ones. */
const optional = [
  'cloudpickle==3.1.2',
  'dask==2026.8.0',
  'ipykernel==7.4.0',
  'joblib==1.6.0',
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

const runSeconds = 1200;

/** Python beside the package has its style. */
const beside = ['../tools/python', '../test/schemathesis', '../test/generators'];
const configured = ['--config', 'pyproject.toml', '.', ...beside] as const;
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
 * `npm run suite -- python` checks the Python package: ruff, mypy and pytest. Where no environment can
 * be filled, it says so and fails nothing, because nothing else of this project needs Python.
 * Arguments go to pytest.
 */
await exitWith(async () => {
  const missing = await fillEnvironment({ folder: cache, packages, probe: 'httpx==0.28.1' });
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

async function prepareOptional(): Promise<void> {
  if (await addPackages(cache, 'optional', optional)) return;
  process.stdout.write(`Tests that need ${optional.join(', ')} are skipped.\n`);
}

/** Runs a program of the environment, and prints what it says once it has ended. */
async function runTool(name: string, words: readonly string[]) {
  const child = spawn('env', [...assign(variables), join(cache, 'bin', name), ...words], {
    cwd: folder,
    timeout: runSeconds * 1000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = endOf(child);
  const output = await readText(child.stdout);
  process.stdout.write(output);
  return { output, status: await ended };
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
