import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asUser } from './daemon-commands.ts';

const run = promisify(execFile);

/** Where the accounting of a cluster keeps its things. */
export interface AccountingPlace {
  readonly directory: string;
  /** As the daemons see it. */
  readonly hostname: string;
  readonly port: number;
}

export function databaseSocket(directory: string): string {
  return join(directory, 'mysql-run', 'mysqld.sock');
}

/** A database of its own, which listens on a socket of the directory and on no port. */
export async function layOutDatabase(directory: string): Promise<string[]> {
  const data = join(directory, 'mysql');
  for (const path of [data, join(directory, 'mysql-run')]) {
    await mkdir(path, { mode: 0o755 });
    await run('chown', ['mysql:', path]);
  }
  await run('mariadb-install-db', [
    '--no-defaults',
    '--user=mysql',
    `--datadir=${data}`,
    '--skip-test-db',
    '--auth-root-authentication-method=socket',
  ]);
  return [
    ...asUser('mysql'),
    '/usr/sbin/mariadbd',
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${databaseSocket(directory)}`,
    '--skip-networking',
    `--pid-file=${join(directory, 'mysql-run', 'mysqld.pid')}`,
    '--innodb-buffer-pool-size=64M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-lock-wait-timeout=900',
  ];
}

export async function askDatabase(directory: string, statement: string): Promise<void> {
  const socket = databaseSocket(directory);
  await run('mariadb', ['--no-defaults', '-S', socket, '-e', statement], { timeout: 10_000 });
}

export const prepareDatabase =
  'create database slurm_acct_db; ' +
  "create user 'slurm'@'localhost' identified via unix_socket; " +
  "grant all on slurm_acct_db.* to 'slurm'@'localhost'";

/** slurmdbd refuses a file that others can read. */
export async function writeAccountingConfig(place: AccountingPlace): Promise<void> {
  const { directory, hostname, port } = place;
  const file = join(directory, 'slurmdbd.conf');
  const lines = [
    'AuthType=auth/munge',
    `AuthInfo=socket=${directory}/munge-run/munge.socket`,
    'AuthAltTypes=auth/jwt',
    `AuthAltParameters=jwt_key=${directory}/jwt.key`,
    'CommunicationParameters=NoInAddrAny',
    `DbdHost=${hostname}`,
    'DbdAddr=127.0.0.1',
    `DbdPort=${port}`,
    'SlurmUser=slurm',
    `LogFile=${directory}/log/slurmdbd.log`,
    `PidFile=${directory}/log/slurmdbd.pid`,
    'StorageType=accounting_storage/mysql',
    'StorageHost=localhost',
    'StorageUser=slurm',
    'StorageLoc=slurm_acct_db',
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  await writeFile(join(directory, 'log', 'slurmdbd.log'), '');
  await run('chown', ['slurm:', file, join(directory, 'log', 'slurmdbd.log')]);
}
