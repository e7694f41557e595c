import { SystemUnavailableError } from '../errors.ts';
import { openJobFolders } from './job-folders.ts';
import { reportFailure } from './judge-refusal.ts';
import { invalidJobId, type SlurmAnswer } from './read-answer.ts';
import { readFailure, readJson, UnknownAccountError } from './read-end.ts';
import { writeOptions, writeScript } from './sbatch-options.ts';
import type { Slurm } from './slurm.ts';
import { openCommandLine, type SshWayOptions } from './ssh/command-line.ts';
import { AccountRefusedError } from './ssh/open-connection.ts';
import type { RemoteCommand } from './ssh/remote-command.ts';
import type { RemoteEnd } from './ssh/run-remotely.ts';

export type { SshWayOptions };

/** Slurm's commands give up on their controller after less. */
const seconds = 60;

/** Reads and writes times as the accounting does. */
const environment = { TZ: 'UTC' };

type RunCommand = (
  program: string,
  parameters: readonly string[],
  asked?: Pick<RemoteCommand, 'input' | 'environment' | 'as'>,
) => Promise<RemoteEnd>;

/**
 * Says to the commands of a login node what is said to a Slurm. Their JSON, from 21.08 on, is that of
 * slurmrestd.
 */
export function openSlurmBySsh(options: SshWayOptions): Slurm {
  let accounting: Promise<boolean> | undefined;
  const line = openCommandLine(options);
  const run: RunCommand = (program, parameters, asked) =>
    line.run({ program, parameters, seconds, ...asked });

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
    readUser: async () => options.reach.user,
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
        const isUnknown =
          error instanceof UnknownAccountError || error instanceof AccountRefusedError;
        if (isUnknown) return noSuchJob;
        throw error;
      }
    },
    readAccounted: (number, as) => askAccounting(as, `--jobs=${number}`),
    findAccounted: (names, as) =>
      askAccounting(as, '--starttime=1970-01-01', `--name=${names.join(',')}`),
    listAccounted: (since) =>
      askAccounting(undefined, '--allusers', `--starttime=${since.toISOString().slice(0, 19)}`),
    async listReservations() {
      const all = ['--oneliner', 'show', 'reservation'];
      const end = await run('scontrol', all, { environment });
      return end.code === 0 ? readReservations(end.output) : readFailure(end, 'scontrol');
    },
    folders: openJobFolders(line),
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

/** Gives the lines of scontrol, one a reservation, the shape of slurmrestd. 22.05 prints no JSON here. */
function readReservations(text: string): SlurmAnswer {
  const reservations = text.split('\n').flatMap((line) => {
    const fields = Object.fromEntries(
      [...line.matchAll(/(\w+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value]),
    );
    if (fields.ReservationName === undefined) return [];
    return {
      name: fields.ReservationName,
      flags: fields.Flags?.split(',') ?? [],
      start_time: inSeconds(fields.StartTime),
      end_time: inSeconds(fields.EndTime),
      node_count: Number(fields.NodeCnt ?? 0),
    };
  });
  return { status: 200, content: { reservations }, errors: [] };
}

/** Without a zone, in UTC. */
function inSeconds(written: string | undefined): number {
  return Date.parse(`${written}Z`) / 1000;
}
