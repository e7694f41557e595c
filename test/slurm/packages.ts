import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The plugin for tokens is not pulled in by the others. */
const packages = [
  'munge',
  'slurmctld',
  'slurmd',
  'slurm-client',
  'slurmrestd',
  'slurm-wlm-jwt-plugin',
  'curl',
];

/** Debian 12 and later. Nothing is started by the installation, and nothing is touched if all is there. */
export async function installPackages(...more: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const name of [...packages, ...more]) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  await withoutStartingDaemons(async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const options = { env, maxBuffer: 50_000_000 };
    await run('apt-get', ['update'], options);
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...missing], options);
  });
}

async function isInstalled(name: string): Promise<boolean> {
  return run('dpkg-query', ['--status', name]).then(
    ({ stdout }) => stdout.includes('Status: install ok installed'),
    () => false,
  );
}

/** What Debian's packages ask before they start a service of theirs. */
const policy = '/usr/sbin/policy-rc.d';

async function withoutStartingDaemons(install: () => Promise<void>): Promise<void> {
  if (existsSync(policy)) return install();
  await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
  } finally {
    await rm(policy);
  }
}
