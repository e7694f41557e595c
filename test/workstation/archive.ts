import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { projectRoot } from '../fixtures/edition.ts';

const name = `slipway-server-${manifest.version}`;

export interface BuiltArchive {
  readonly file: string;
  readonly sum: string;
}

/** Builds the archive into a folder, as `npm run release` does. */
export function buildArchive(
  folder: string,
  environment: Record<string, string> = {},
): BuiltArchive {
  const release = [join(projectRoot, 'tools/release/release.ts'), folder];
  const printed = execFileSync(process.execPath, release, {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  const file = join(folder, `${name}.tar.gz`);
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  const [told = '', place = ''] = printed.trim().split(/ +/);
  if (told !== sum || basename(place) !== basename(file)) throw new Error(printed);
  return { file, sum };
}

/** Unpacks an archive, and returns the folder that is in it. */
export function unpackArchive(file: string, folder: string): string {
  execFileSync('tar', ['-xzf', file, '-C', folder]);
  return join(folder, name);
}

/** A folder until the test ends. */
export function openFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'slipway-archive-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

export const hasBubblewrap = spawnSync('bwrap', ['--version']).status === 0;

/** The Node of a server. */
const nodeThere = '/usr/local/bin/node';

/**
 * The beginning of a command that sees the programs of the system, a Node, and this folder as /srv:
 * neither the checkout nor any package.
 */
export function inside(folder: string): string[] {
  const parts = ['/usr', '/bin', '/lib', '/lib64', '/etc'];
  return [
    'bwrap',
    ...parts.flatMap((part) => ['--ro-bind-try', part, part]),
    ...['--tmpfs', '/usr/local', '--tmpfs', '/usr/lib/node_modules', '--ro-bind'],
    ...[process.execPath, nodeThere, '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--bind', folder, '/srv', '--chdir', '/srv', '--die-with-parent', '--clearenv'],
    ...['--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin', '--setenv', 'HOME', '/srv', '--'],
  ];
}
