import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { runChild } from '../measure/run-child.ts';

/** The quick ones first. */
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
  'life',
  'http',
] as const;

export interface PartWishes {
  readonly slurm: boolean;
}

const Package = v.object({ scripts: v.record(v.string(), v.string()) });

/** Runs one part after the other, each into its file of the folder. Returns those that failed. */
export async function runParts(folder: string, { slurm }: PartWishes): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const packageFile = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { scripts } = v.parse(Package, JSON.parse(packageFile));
  const failed: string[] = [];
  for (const part of parts) {
    const began = performance.now();
    const file = resolve(folder, `${part}.json`);
    // Figures of an earlier run must not stand for this one.
    rmSync(file, { force: true });
    process.stdout.write(`\nbench:${part}\n`);
    const options = ['--json', file, ...(slurm && part === 'http' ? ['--slurm'] : [])];
    const code = await runScript(scripts[`bench:${part}`] ?? 'false', options);
    if (code !== 0) failed.push(part);
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(`${code === 0 ? '' : 'FAILED, '}${seconds} s\n`);
  }
  if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`);
  return failed;
}

/** Not by npm: a signal must reach the part itself, which then takes away what it started. */
function runScript(script: string, options: readonly string[]): Promise<number> {
  return runChild('sh', ['-c', `exec env ${script} "$@"`, 'sh', ...options]);
}
