import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const directory = join(import.meta.dirname, '../runtime');
const client = join(directory, 'node_modules/aws-lambda-ric');

export type Installed = { readonly runtime: string } | { readonly missing: string };

/**
 * Lambda's own runtime client, installed when it is not there yet. It is no dependency of the
 * project, because it compiles for minutes, and not on every machine.
 */
export function installRuntime(): Installed {
  const runtime = join(client, 'index.mjs');
  // The last that its installation writes.
  if (existsSync(join(client, 'rapid-client.node'))) return { runtime };
  const missing = findMissing();
  if (missing !== undefined) return { missing };
  process.stdout.write("Installing Lambda's runtime client: once, and for some minutes ...\n");
  const { status, stdout, stderr } = spawnSync('npm', ['ci', '--prefix', directory], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm ci in ${directory} failed:\n${stdout}\n${stderr}`);
  return { runtime };
}

function findMissing(): string | undefined {
  if (process.platform !== 'linux') return 'Linux';
  const wanted = [['cmake', 'cmake3'], ['c++', 'g++', 'clang++'], ['make'], ['openssl']];
  return wanted.find((names) => !names.some(isInstalled))?.[0];
}

function isInstalled(command: string): boolean {
  return spawnSync(command, [command === 'openssl' ? 'version' : '--version']).status === 0;
}
