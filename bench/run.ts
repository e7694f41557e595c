import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWith } from '#tools/run-tool.ts';
import { checkBudget } from './budget.ts';
import { writeFigures } from './measure/figures.ts';
import { type Part, readCount } from './measure/part.ts';
import { exitOnSignals, runChild } from './measure/processes.ts';

const help = `Runs all benchmarks one after the other, in under ten minutes.

  npm run -s bench -- [--to DIR] [--slurm]
  npm run -s bench -- --check [--to DIR | --from DIR] [--slurm]
  npm run -s bench -- PART [--json FILE] [options of the part]

  --to DIR        folder for the figures, one JSON file per part (default .bench)
  --slurm         also measure slurmrestd, which is installed and started (Debian, root)
  --check         then compare the figures with bench/budget.json, and exit with 1 if one misses its
                  budget or was not measured
  --from DIR      with --check: measure nothing, and read the figures of an earlier run
`;

/** The quick parts come first. */
const parts = [
  'command',
  'console',
  'cold',
  'warm',
  'memory',
  'capacity',
  'reports',
  'growth',
  'events',
  'faults',
  'sweep',
  'batches',
  'http',
];

/** Parts that take minutes or an hour, and so only run by name. */
const longParts = ['lighthouse', 'steady', 'neighbour', 'oversell', 'large'];

exitOnSignals();
const [, , name = ''] = process.argv;
const isPart = [...parts, ...longParts].includes(name);
await exitWith(async () => (isPart ? runPart(await loadPart(name)) : runAll()));
// A connection that is still open must not keep the benchmark from ending.
process.exit();

async function loadPart(name: string): Promise<Part> {
  const { part }: { part: Part } = await import(`./${name}.ts`);
  return part;
}

async function runPart({ about, options = {}, measure }: Part): Promise<number> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      ...Object.fromEntries(
        Object.entries(options).map(([option, { usual }]) => [
          option,
          { type: usual === false ? 'boolean' : 'string' } as const,
        ]),
      ),
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  const read = (option: string) => given[option] ?? options[option]?.usual;
  if (values.help) {
    process.stdout.write(describePart(about, options));
    return 0;
  }
  const figures = await measure({
    count: (option) => readCount(option, String(read(option))),
    text: (option) => read(option)?.toString(),
    flag: (option) => read(option) === true,
  });
  if (values.json !== undefined) writeFigures(values.json, figures);
  // A part sets the exit code if some of its figures are invalid.
  return Number(process.exitCode ?? 0);
}

function describePart(about: string, options: NonNullable<Part['options']>): string {
  const rows = Object.entries(options).map(([option, { usual, about }]) => {
    const words = usual ? `${about} (default ${usual})` : about;
    return `  ${`--${option}`.padEnd(15)} ${words}\n`;
  });
  const json = '  --json FILE     also write the figures to this file\n';
  return `${about}\n  npm run -s bench -- ${name} [options]\n\n${rows.join('')}${json}`;
}

async function runAll(): Promise<number> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: '.bench' },
      from: { type: 'string' },
      check: { type: 'boolean', default: false },
      slurm: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const folder = values.from ?? values.to;
  const failed = values.from === undefined ? await runEach(folder, values.slurm) : [];
  const isKept = !values.check || checkBudget(folder);
  return isKept && failed.length === 0 ? 0 : 1;
}

/** Runs each part in its own process, and returns the names of the parts that failed. */
async function runEach(folder: string, slurm: boolean): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const failed: string[] = [];
  for (const part of parts) {
    const began = performance.now();
    const file = resolve(folder, `${part}.json`);
    // Figures of an earlier run must not pass for figures of this one.
    rmSync(file, { force: true });
    process.stdout.write(`\nbench:${part}\n`);
    const options = ['--json', file, ...(slurm && part === 'http' ? ['--slurm'] : [])];
    const code = await runChild(process.execPath, [import.meta.filename, part, ...options]);
    if (code !== 0) failed.push(part);
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(`${code === 0 ? '' : 'FAILED, '}${seconds} s\n`);
  }
  if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`);
  return failed;
}
