import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { runTool } from '../run-tool.ts';
import { endOf, fillEnvironment } from './fill-environment.ts';

const help = `Changes the Python package in small ways and lists the changes that no test notices (docs/testing.md).
Exits with 1 if the tests notice less than 95 percent.

  npm run suite -- python-mutation [MODULE ...]

  MODULE  a module, such as _retry or _sync/waiting (default: all that are not generated)
`;

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/python-mutation');
const folder = join(root, '.mutation/python');

const packages = ['httpx==0.28.1', 'hypothesis==6.170.15', 'mutmut==3.8.1', 'pytest==9.2.0'];

/**
 * Modules of _async are mutated as their plain copies in _sync, which the tests call. _call runs in a
 * job, and what _magic and _progress show in a notebook needs one.
 */
const left = ['__init__', '_version', '_call', '_magic', '_progress', '_sync/operations'];

/** These wait for a service, or compare names that mutmut adds. */
const waiting = ['package', 'notebooks', 'magic', 'service', 'async', 'page_types'];

const settings = (modules: readonly string[]) => `
[tool.mutmut]
source_paths = ["src"]
only_mutate = ${JSON.stringify(modules.map((name) => `src/slipway_hpc/${name}.py`))}
do_not_mutate = ${JSON.stringify(left.map((name) => `src/slipway_hpc/${name}.py`))}
# Texts that people read.
do_not_mutate_patterns = ['^\\s*raise ', '^\\s*f?"[A-Z{].* .*"']
pytest_add_cli_args = ["-p", "no:cacheprovider"]
pytest_add_cli_args_test_selection = ${JSON.stringify(['tests', ...waiting.map((name) => `--ignore=tests/test_${name}.py`)])}
use_git_change_detection = false
track_dependencies = false
`;

/** What mutmut keeps of a module: how the tests ended, by the name of a mutant. */
const Results = v.object({ exit_code_by_key: v.record(v.string(), v.nullable(v.number())) });

type Outcome = 'killed' | 'survived' | 'without a test' | 'timed out' | 'not run';

await runTool(help, {}, async (_values, positionals) => {
  const missing = await fillEnvironment({ folder: cache, packages, probe: 'httpx==0.28.1' });
  if (missing !== undefined) throw new Error(`Nothing is mutated: ${missing}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['src', 'tests', 'pyproject.toml', 'README.md', 'LICENSE']) {
    cpSync(join(root, 'python', name), join(folder, name), { recursive: true });
  }
  const modules = positionals.length > 0 ? positionals : ['_*', 'futures', '_sync/*'];
  appendFileSync(join(folder, 'pyproject.toml'), settings(modules));
  // The tests import the mutated copy. Python would never look again into a folder that is not there.
  const copy = join(folder, 'mutants/src');
  mkdirSync(copy, { recursive: true });
  const variables = ['WITHOUT_SERVICE=1', `PYTHONPATH=${copy}`];
  const words = [...variables, join(cache, 'bin/mutmut'), 'run', '--max-children', '2'];
  const mutmut = spawn('env', words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if ((await endOf(mutmut)) !== 0) throw new Error(`mutmut failed: see ${folder}.`);
  return report();
});

/** Prints what is not killed, and a line for each module. */
function report(): number {
  const sums: Record<Outcome, number>[] = [];
  for (const file of globSync(join(folder, 'mutants/src/**/*.meta')).sort()) {
    const { exit_code_by_key: codes } = v.parse(Results, JSON.parse(readFileSync(file, 'utf8')));
    const sum = { killed: 0, survived: 0, 'without a test': 0, 'timed out': 0, 'not run': 0 };
    for (const [name, code] of Object.entries(codes)) {
      const outcome = judge(code);
      sum[outcome] += 1;
      if (outcome !== 'killed') process.stdout.write(`${outcome}: ${name}\n`);
    }
    sums.push(sum);
    const [, module] = /slipway_hpc\/(.*)\.py\.meta$/.exec(file) ?? [];
    process.stdout.write(`${module}: ${JSON.stringify(sum)}\n`);
  }
  const whole = (outcome: Outcome) => sums.reduce((total, sum) => total + sum[outcome], 0);
  const all = sums.flatMap((sum) => Object.values(sum)).reduce((total, each) => total + each, 0);
  const share = whole('killed') / Math.max(1, all);
  process.stdout.write(`${(100 * share).toFixed(1)} percent of ${all} killed\n`);
  return share < 0.95 ? 1 : 0;
}

/** Names the end of pytest, as mutmut's own table of exit codes does. */
function judge(code: number | null): Outcome {
  if (code === 0) return 'survived';
  if (code === 1 || code === 3) return 'killed';
  if (code === 5 || code === 33) return 'without a test';
  return code === null ? 'not run' : 'timed out';
}
