import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const seconds = { probe: 60, install: 600 };

/** A folder with a Python of its own. */
export interface PythonEnvironment {
  readonly folder: string;
  readonly packages: readonly string[];
  /** A small package, to find out soon whether there is a registry. */
  readonly probe: string;
  /** The Python that it is made of (default: the first one of the path). */
  readonly python?: string;
}

/** Fills an environment, once per set of packages. Returns undefined, or why it could not. */
export async function fillEnvironment(wanted: PythonEnvironment): Promise<string | undefined> {
  const { folder, packages, probe, python = 'python3' } = wanted;
  const version = spawnSync(python, ['-c', 'import sys; print(sys.version_info >= (3, 10))']);
  if (String(version.stdout).trim() !== 'True') return 'there is no python3 of 3.10 or later.';
  if (isInstalled(folder, 'packages', packages)) return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = spawnSync(python, ['-m', 'venv', folder], { timeout: seconds.probe * 1000 });
  if (made.status !== 0) return 'python3 -m venv fails (on Debian: apt-get install python3-venv).';
  if (!(await install(folder, ['--no-deps', probe], seconds.probe))) {
    return 'the Python registry cannot be reached.';
  }
  const isFilled = await addPackages(folder, 'packages', packages);
  return isFilled ? undefined : 'the Python registry lacks packages.';
}

/** Adds packages, once. Returns whether they are there. */
export async function addPackages(
  folder: string,
  name: string,
  packages: readonly string[],
): Promise<boolean> {
  if (isInstalled(folder, name, packages)) return true;
  if (!(await install(folder, packages, seconds.install))) return false;
  writeFileSync(join(folder, `${name}.txt`), packages.join('\n'));
  return true;
}

function isInstalled(folder: string, name: string, wanted: readonly string[]): boolean {
  const mark = join(folder, `${name}.txt`);
  return existsSync(mark) && readFileSync(mark, 'utf8') === wanted.join('\n');
}

/** Gives up soon, because pip's own patience is minutes for each package. */
async function install(folder: string, wanted: readonly string[], limit: number): Promise<boolean> {
  const quick = ['--quiet', '--disable-pip-version-check', '--no-compile', '--timeout', '15'];
  const child = spawn(join(folder, 'bin/pip'), ['install', ...quick, '--retries', '1', ...wanted], {
    timeout: limit * 1000,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return (await endOf(child)) === 0;
}

export function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
}
