import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const version = '0.51.0';
const folder = join(import.meta.dirname, '../../../node_modules/.cache/fakecloud', version);

export type Installed = { readonly program: string } | { readonly missing: string };

/**
 * fakecloud decides by the policies of roles, with the leading keys of each request, also within
 * transactions. It is compiled once, which takes about a quarter of an hour. It runs beside the
 * tests and is no part of the project, whose licence is another.
 */
export function installFakecloud(): Installed {
  const program = join(folder, 'bin/fakecloud');
  if (existsSync(program)) return { program };
  if (spawnSync('cargo', ['--version']).status !== 0) return { missing: 'cargo' };
  process.stdout.write('Compiling fakecloud: once, and for about a quarter of an hour ...\n');
  const { status, stderr } = spawnSync(
    'cargo',
    ['install', 'fakecloud', '--version', version, '--locked', '--debug', '--root', folder],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        CARGO_PROFILE_DEV_DEBUG: '0',
        CARGO_TARGET_DIR: join(folder, 'target'),
      },
    },
  );
  // Three gigabytes that nobody needs again.
  rmSync(join(folder, 'target'), { recursive: true, force: true });
  if (status !== 0) throw new Error(`cargo install fakecloud failed:\n${stderr}`);
  return { program };
}
