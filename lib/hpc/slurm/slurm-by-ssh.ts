import { isDeepStrictEqual } from 'node:util';
import type { CredentialStore } from '../credentials.ts';
import { CredentialsRefusedError, SystemUnavailableError } from '../errors.ts';
import { reportFailure } from './judge-refusal.ts';
import { invalidJobId, type SlurmAnswer } from './read-answer.ts';
import { readFailure, readJson, UnknownAccountError } from './read-end.ts';
import { writeOptions, writeScript } from './sbatch-options.ts';
import type { Slurm } from './slurm.ts';
import type { SshReach } from './ssh/login-node.ts';
import type { RemoteCommand } from './ssh/remote-command.ts';
import { type RemoteEnd, runRemotely } from './ssh/run-remotely.ts';
import { readSshCredentials } from './ssh/ssh-credentials.ts';

export interface SshWayOptions {
  readonly reach: SshReach;
  /** `sshKey`. */
  readonly credentials: CredentialStore;
}

/** Slurm's commands give up on their controller after less. */
const seconds = 60;

/** Reads and writes times as the accounting does. */
const environment = { TZ: 'UTC' };

type Asked = Pick<RemoteCommand, 'input' | 'environment' | 'as'>;

/**
 * Says to the commands of a login node what is said to a Slurm. Their JSON, from 21.08 on, is that of
 * slurmrestd.
 */
export function openSlurmBySsh({ reach, credentials }: SshWayOptions): Slurm {
  let accounting: Promise<boolean> | undefined;

  async function run(program: string, parameters: readonly string[], asked: Asked = {}) {
    const command = { program, parameters, seconds, ...asked };
    const shown = readSshCredentials(await credentials.read());
    try {
      return await runRemotely(reach, shown, command);
    } catch (error) {
      if (!(error instanceof CredentialsRefusedError)) throw error;
      credentials.forget();
      const fresh = readSshCredentials(await credentials.read());
      if (isDeepStrictEqual(fresh, shown)) throw error;
      return runRemotely(reach, fresh, command);
    }
  }

  const askQueue = async (as?: string, ...parameters: string[]) =>
    readJson(await run('squeue', ['--json', '--states=all', ...parameters], { as }), 'squeue');
  const askAccounting = async (as?: string, ...parameters: string[]) => {
    const all = ['--json', '--duplicates', ...parameters];
    return readJson(await run('sacct', all, { as, environment }), 'sacct');
  };

  async function askForAccounting(): Promise<boolean> {
    const end = await run('scontrol', ['show', 'config']);
    if (end.code !== 0) throw reportFailure(readFailure(end, 'scontrol'), 'scontrol show config');
    const [, type = 'none'] = /^AccountingStorageType\s*=\s*(\S+)/m.exec(end.output) ?? [];
    return !/none|\(null\)/.test(type);
  }

  return {
    // Up to 22.05, squeue --json prints the whole queue, whatever it is asked for.
    maxSingleQuestions: 1,
    acceptsUnknownAccounts: false,
    readUser: async () => reach.user,
    hasAccounting() {
      accounting ??= askForAccounting().catch((error: unknown) => {
        accounting = undefined;
        throw error;
      });
      return accounting;
    },
    async submit(job, as) {
      const end = await run('sbatch', writeOptions(job), { input: writeScript(job), as });
      return readSubmitted(end);
    },
    async cancel(handle, as) {
      const end = await run('scancel', [handle], { as });
      return end.code === 0 ? done : readFailure(end, 'scancel');
    },
    listQueue: (as) => askQueue(as),
    async readQueued(number, as) {
      try {
        return await askQueue(as, `--jobs=${number}`);
      } catch (error) {
        // One account that is gone must not keep the jobs of all others from being looked up.
        if (error instanceof UnknownAccountError) return noSuchJob;
        throw error;
      }
    },
    readAccounted: (number, as) => askAccounting(as, `--jobs=${number}`),
    findAccounted: (names, as) =>
      askAccounting(as, '--starttime=1970-01-01', `--name=${names.join(',')}`),
    listAccounted: (since) =>
      askAccounting(undefined, '--allusers', `--starttime=${since.toISOString().slice(0, 19)}`),
    async checkHealth() {
      const end = await run('scontrol', ['ping']);
      if (end.code !== 0) throw reportFailure(readFailure(end, 'scontrol'), 'scontrol ping');
      if (!/\bis UP\b/.test(end.output)) {
        throw new SystemUnavailableError('No Slurm controller answers.');
      }
    },
  };
}

const noSuchJob: SlurmAnswer = {
  status: 500,
  content: undefined,
  errors: [{ code: invalidJobId, text: 'Invalid job id specified' }],
};

const done: SlurmAnswer = { status: 200, content: {}, errors: [] };

/** Sites let sbatch print more, and a federation adds the name of the cluster (`12;mahti`). */
function readSubmitted(end: RemoteEnd): SlurmAnswer {
  const number = end.output
    .split('\n')
    .map((line) => /^(\d+)(;\S+)?$/.exec(line.trim())?.[1])
    .findLast((each) => each !== undefined);
  if (end.code !== 0 || number === undefined) return readFailure(end, 'sbatch');
  return { status: 200, content: { job_id: Number(number) }, errors: [] };
}
