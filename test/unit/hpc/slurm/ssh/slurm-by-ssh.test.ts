import { describe, expect, it } from 'vitest';
import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
} from '#lib/hpc/errors.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { order } from '#test/unit/hpc/slurm/connect.ts';
import { type Play, printing, startLoginNode } from './login-node-server.ts';

interface Said {
  /** The programs that were run, each with its parameters. */
  readonly commands: string[];
  readonly inputs: string[];
}

/** A connector to a login node on which each program answers as it is told. */
async function connect(answers: Readonly<Record<string, Play>>) {
  const said: Said = { commands: [], inputs: [] };
  const node = await startLoginNode((line, channel) => {
    const words = line.replaceAll(`'\\''`, '').replace(/'$/, '');
    const [, as, command = ''] = /timeout -k 5 \d+ (sudo -n -u \S+ -- )?(.*)$/s.exec(words) ?? [];
    said.commands.push(`${as ?? ''}${command}`);
    let input = '';
    channel.on('data', (piece: Buffer) => {
      input += piece.toString();
    });
    channel.once('end', () => {
      said.inputs.push(input);
      const [program = ''] = command.split(' ');
      (answers[program] ?? printing('', { code: 127 }))(line, channel);
    });
  });
  const connector = createSlurmConnector({
    reach: node.reach,
    credentials: { read: async () => ({ sshKey: node.sshKey }), forget: () => undefined },
    partition: 'batch',
    workDirectory: '/scratch',
  });
  return { connector, said };
}

function failing(errors: string, code = 1): Play {
  return printing('', { errors: `${errors}\n`, code });
}

async function submitWith(sbatch: Play) {
  const { connector } = await connect({
    sbatch,
    squeue: printing('{"errors": [], "jobs": []}'),
  });
  return connector.submit(order);
}

describe('a job that is handed over by ssh', () => {
  it('is named and sized in the parameters, and sent on the standard input', async () => {
    const { connector, said } = await connect({ sbatch: printing('12\n') });
    expect(await connector.submit({ ...order, hours: 0.5 })).toBe('12');
    expect(said.commands).toEqual([
      'sbatch --parsable --job-name=JOB-1 --partition=batch --nodes=2 --ntasks=16 ' +
        '--ntasks-per-node=8 --time=30 --signal=B:USR1@60 --chdir=/scratch ' +
        '--output=/scratch/JOB-1.log',
    ]);
    const [first, second] = said.inputs[0]?.split('\n') ?? [];
    expect(first).toBe('#!/bin/bash');
    expect(second).toBe('unset SUDO_COMMAND SUDO_USER SUDO_UID SUDO_GID');
    expect(said.inputs[0]).toContain("export PATH='/usr/local/bin:/usr/bin:/bin'");
  });

  it.each([
    ['12;mahti\n', '12'],
    ['Your project has 3 hours left.\n12\n', '12'],
  ])('has its number, whatever else a site prints: %j', async (output, handle) => {
    expect(await submitWith(printing(output))).toBe(handle);
  });

  it('is sent as its account by sudo', async () => {
    const { connector, said } = await connect({ sbatch: printing('12\n') });
    await connector.submit({ ...order, login: 'ada' });
    expect(said.commands).toEqual([expect.stringMatching(/^sudo -n -u ada -- sbatch /)]);
  });

  it.each([
    ['sbatch: error: Batch job submission failed: Invalid partition name specified', '(2000)'],
    ['sbatch: error: Batch job submission failed: Node count specification invalid', '(2006)'],
    ['sudo: unknown user ada', "does not know the account 'ada'"],
  ])('is refused for good: %s', async (errors, words) => {
    const refused = submitWith(failing(errors));
    await expect(refused).rejects.toThrow(JobRefusedError);
    await expect(refused).rejects.toThrow(words);
  });

  it.each([
    ['sbatch: error: Batch job submission failed: System submissions disabled', 1, '(2105)'],
    [
      "timeout: failed to run command 'sbatch': No such file or directory",
      127,
      'The login node has no sbatch',
    ],
    ['sudo: sbatch: command not found', 1, 'The login node has no sbatch'],
    ['sbatch: error: open: No space left on device', 1, 'The disk of the login node is full'],
  ])('waits, because nothing happened: %s', async (errors, code, said) => {
    const busy = submitWith(failing(errors, code));
    await expect(busy).rejects.toThrow(SystemBusyError);
    await expect(busy).rejects.toMatchObject({ said: expect.stringContaining(said) });
  });

  it('may have been taken if nobody knows what the words mean', async () => {
    const errors =
      'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation';
    const unknown = submitWith(failing(errors));
    await expect(unknown).rejects.toThrow(SystemUnavailableError);
    await expect(unknown).rejects.toThrow('Socket timed out');
    await expect(submitWith(printing('no number\n'))).rejects.toThrow(SystemUnavailableError);
  });

  it('waits while sudo does not allow it', async () => {
    const refused = submitWith(failing('sudo: a password is required'));
    await expect(refused).rejects.toThrow(CredentialsRefusedError);
    await expect(refused).rejects.toThrow('sudo: a password is required');
  });
});

describe('jobs that are looked up by ssh', () => {
  const jobs = ['A', 'B', 'C'].map((name, index) => ({
    jobId: jobId(name),
    owner: userId('306328'),
    handle: String(index + 1),
  }));
  const listed = jobs.map(({ jobId, handle }) => ({
    job_id: Number(handle),
    name: jobId,
    user_name: 'slipway',
    job_state: 'RUNNING',
  }));

  it('are one question, however many they are', async () => {
    const squeue = printing(JSON.stringify({ errors: [], jobs: listed }));
    const { connector, said } = await connect({ squeue });
    const seen = await connector.lookUp(jobs);
    expect([...seen.values()].map(({ state }) => state)).toEqual(['living', 'living', 'living']);
    expect(said.commands).toEqual(['squeue --json --states=all']);
    await connector.lookUp(jobs.slice(0, 1));
    expect(said.commands[1]).toBe('squeue --json --states=all --jobs=1');
  });

  it('are not missing because their account is not known right now', async () => {
    const hidden = { ...jobs[0]!, login: 'ada' };
    const { connector } = await connect({
      squeue: failing('sudo: unknown user ada'),
      scontrol: printing('AccountingStorageType   = accounting_storage/slurmdbd\n'),
      sacct: failing('sudo: unknown user ada'),
    });
    expect((await connector.lookUp([hidden])).size).toBe(0);
    await expect(connector.findByTag(hidden)).rejects.toThrow(SystemUnavailableError);
  });

  it('are not asked for in an accounting that is not there', async () => {
    const { connector, said } = await connect({
      squeue: printing('{"errors": [], "jobs": []}'),
      scontrol: printing('AccountingStorageType   = accounting_storage/none\n'),
    });
    expect(await connector.lookUp(jobs.slice(0, 1))).toEqual(
      new Map([[jobs[0]!.jobId, { state: 'unknown' }]]),
    );
    expect(said.commands.some((command) => command.startsWith('sacct'))).toBe(false);
  });

  it('say that the Slurm is too old', async () => {
    const { connector } = await connect({
      squeue: failing("squeue: unrecognized option '--json'"),
    });
    await expect(connector.lookUp(jobs)).rejects.toThrow('21.08 is the oldest');
  });

  it('leave open what a list says that cannot be read', async () => {
    const { connector } = await connect({ squeue: printing('slurm is being upgraded') });
    await expect(connector.lookUp(jobs)).rejects.toThrow(SystemUnavailableError);
  });
});

describe('the health of a Slurm behind ssh', () => {
  it.each([
    ['Slurmctld(primary) at a is UP\nSlurmctld(backup) at b is DOWN\n', true],
    ['Slurmctld(primary) at a is DOWN\n', false],
  ])('is that of its controllers: %j', async (output, isUp) => {
    const { connector } = await connect({ scontrol: printing(output) });
    const health = connector.checkHealth().then(
      () => true,
      () => false,
    );
    expect(await health).toBe(isUp);
  });
});
