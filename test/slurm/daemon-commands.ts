import { join } from 'node:path';

/** slurmrestd runs neither as root nor as Slurm's own user. */
const restUser = 'daemon';

export function mungeCommand(directory: string, socket: string): string[] {
  const own = (name: string) => join(directory, 'munge', name);
  return [
    ...asUser('munge'),
    'munged',
    '--foreground',
    `--socket=${socket}`,
    `--key-file=${own('munge.key')}`,
    `--pid-file=${join(directory, 'munge-run', 'munged.pid')}`,
    `--log-file=${own('munged.log')}`,
    `--seed-file=${own('munged.seed')}`,
  ];
}

/**
 * The versions are named: by default it loads the accounting as well, and dies where there is none.
 * The variable makes it pass on its callers' tokens, and would spoil the other daemons.
 */
export function restCommand(port: number, hasAccounting = false): string[] {
  const versions = [
    'openapi/v0.0.37,openapi/v0.0.38',
    ...(hasAccounting ? ['openapi/dbv0.0.37,openapi/dbv0.0.38'] : []),
  ].join(',');
  const flags = ['-a', 'rest_auth/jwt', '-s', versions, `127.0.0.1:${port}`];
  return [...asUser(restUser), 'env', 'SLURM_JWT=daemon', 'slurmrestd', ...flags];
}

export function asUser(user: string): string[] {
  return ['setpriv', '--reuid', user, '--regid', user, '--clear-groups'];
}
