import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connector, JobOrder, SubmittedJob } from '#lib/hpc/connector.ts';
import { JobRefusedError } from '#lib/hpc/errors.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { findBatchJob, listLivingNames } from './batch-jobs.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { allowBySudo, makeUsers, type Sshd, startSshd } from './sshd.ts';

const alice = 'slipway-alice';
const bob = 'slipway-bob';

/** The service's own user on the login node. */
const gateway = 'slipway-test';

let cluster: Cluster;
let directories: string;
let sshd: Sshd;
const closing: (() => Promise<void>)[] = [];

// Users see their own jobs alone: what has to be done for an account must be done as that account.
beforeAll(async () => {
  cluster = await startCluster({ hidesJobs: true });
  closing.push(await makeUsers(gateway, alice, bob), await allowBySudo(gateway, [alice, bob]));
  directories = await cluster.makeDirectories(alice, bob);
  sshd = await startSshd({ environment: { SLURM_CONF: cluster.configFile } });
}, 300_000);

afterAll(async () => {
  await sshd?.close();
  await cluster?.close();
  for (const close of closing) await close();
}, 60_000);

function connect(credentials: Record<string, string>, workDirectory = directories): Connector {
  const { port, hostKeys } = sshd;
  const accounts = 'caKey' in credentials ? ('certificate' as const) : ('sudo' as const);
  const way =
    'sshKey' in credentials
      ? { reach: { host: '127.0.0.1', port, user: gateway, hostKeys, accounts } }
      : { baseUrl: cluster.url };
  return createSlurmConnector({
    ...way,
    credentials: { read: async () => credentials, forget() {} },
    partition: cluster.partition,
    workDirectory,
  });
}

/** The ways in which the connector acts for accounts. */
const ways = [
  {
    way: 'a token of SlurmUser',
    prove: () => ({ user: 'slurm', token: cluster.signToken('slurm') }),
    own: () => 'slurm',
  },
  {
    way: 'the key of the cluster',
    prove: () => ({ user: cluster.user, key: cluster.key }),
    own: () => cluster.user,
  },
  { way: 'sudo on the login node', prove: () => ({ sshKey: sshd.key }), own: () => gateway },
  {
    way: 'certificates for the login node',
    prove: () => ({ sshKey: sshd.key, caKey: sshd.authority }),
    own: () => gateway,
  },
];

function orderJob(program: string, login?: string): JobOrder {
  const job = { jobId: jobId(randomUUID().toUpperCase()), owner: userId('306328'), login };
  const size = { nodes: 1, coresPerNode: 1, hours: 0.1 };
  return { ...job, ...size, program, title: 'a title', extras: {} };
}

interface StartedJob extends SubmittedJob {
  /** Where it runs. */
  readonly place: string;
}

async function start(connector: Connector, order: JobOrder): Promise<StartedJob> {
  const { jobId, owner, login } = order;
  const handle = await connector.submit(order);
  const above =
    login === undefined ? cluster.workDirectory : directories.replace('{account}', login);
  return { jobId, owner, login, handle, place: `${above}/${jobId}/job` };
}

async function waitForEnd(connector: Connector, job: StartedJob) {
  return pollUntil('the job has ended', 40, async () => {
    const seen = (await connector.lookUp([job])).get(job.jobId);
    return seen?.state === 'ended' ? seen : undefined;
  });
}

function waitForFile(path: string) {
  return pollUntil(`there is ${path}`, 40, async () => existsSync(path) || undefined);
}

/** Has a secret file, and waits for somebody to try. */
const keepSecret = 'echo the secret of Bob >secret.txt; touch ready; sleep 300 # a note of Bob';

/** All that a curious job does to another one; each line tells what came of it. */
function pry({ handle, place }: StartedJob): string {
  const slurm = `SLURM_CONF=${cluster.configFile}`;
  const spool = cluster.configFile.replace('slurm.conf', 'spool');
  return [
    `grep -q secret ${place}/secret.txt && echo read a file`,
    `ls ${place} && echo listed a directory`,
    `echo mine >${place}/secret.txt && echo overwrote a file`,
    `${slurm} scontrol write batch_script ${handle} - | grep -q "note o[f] Bob" && echo asked for the script`,
    `grep -qr "note o[f] Bob" ${spool} && echo read the script`,
    `${slurm} scontrol hold ${handle} && echo held the job`,
    `${slurm} scancel ${handle} && echo cancelled the job`,
  ].join('\n');
}

function readAttempts({ place }: StartedJob): string[] {
  const told = /^(read|listed|overwrote|asked|held|cancelled) /;
  return readFileSync(`${place}/stdout`, 'utf8')
    .split('\n')
    .filter((line) => told.test(line));
}

describe.each(ways)('jobs that run as their owners, by $way', ({ prove, own }) => {
  it('keep their files, directories and scripts from each other, and are not stopped by others', async () => {
    const connector = connect(prove());
    const bobs = await start(connector, orderJob(keepSecret, bob));
    await waitForFile(`${bobs.place}/ready`);
    const curious = await start(connector, orderJob(`id -un >as; ${pry(bobs)}\ntrue`, alice));
    expect(await waitForEnd(connector, curious)).toMatchObject({ stage: 'SUCCESSFUL' });
    expect(readAttempts(curious)).toEqual([]);

    expect(readFileSync(`${curious.place}/as`, 'utf8')).toBe(`${alice}\n`);
    expect(readFileSync(`${bobs.place}/secret.txt`, 'utf8')).toBe('the secret of Bob\n');
    expect((await stat(`${bobs.place}/..`)).mode & 0o777).toBe(0o700);
    const living = (await connector.lookUp([bobs])).get(bobs.jobId);
    expect(living).toEqual({ state: 'living', stage: 'RUNNING' });
    await connector.cancel(bobs);
    expect(await waitForEnd(connector, bobs)).toMatchObject({ failed: true });
  });

  it('are found and looked at, one and many, though they are hidden from the service', async () => {
    const connector = connect(prove());
    const orders = [alice, bob, alice, bob, alice, bob].map((login) =>
      orderJob('sleep 300', login),
    );
    const jobs = await Promise.all(orders.map((order) => start(connector, order)));
    const seen = await connector.lookUp(jobs);
    expect(jobs.map(({ jobId }) => seen.get(jobId)?.state)).toEqual(jobs.map(() => 'living'));
    const [one] = jobs;
    expect(one && (await connector.findByTag(one))).toBe(one?.handle);
    // A job of the same name that somebody else has is not ours.
    expect(one && (await connector.findByTag({ ...one, login: bob }))).toBeUndefined();
    for (const job of jobs) await connector.cancel(job);
  });

  it('do not run as somebody whom the system does not know', async () => {
    const connector = connect(prove());
    const order = orderJob('true', 'no-such-user');
    await expect(connector.submit(order)).rejects.toThrow(
      'caKey' in prove()
        ? /^no-such-user@\S+ does not accept the certificate/
        : "The HPC system does not know the account 'no-such-user'.",
    );
    expect(await listLivingNames(cluster)).not.toContain(order.jobId);
    const found = connector.findByTag(order);
    // The login node may only not know the account now, so nobody concludes that there is no job.
    if ('sshKey' in prove()) await expect(found).rejects.toThrow('no-such-user');
    else expect(await found).toBeUndefined();
  });

  it("do not run as the service's own user", async () => {
    const connector = connect(prove());
    await expect(connector.submit(orderJob('true', own()))).rejects.toThrow(JobRefusedError);
  });
});

describe('jobs that all run as the service', () => {
  it('are one user: each can read, change and stop the others', async () => {
    const token = cluster.signToken(cluster.user);
    const connector = connect({ user: cluster.user, token }, cluster.workDirectory);
    const bobs = await start(connector, orderJob(keepSecret));
    await waitForFile(`${bobs.place}/ready`);
    const curious = await start(connector, orderJob(`${pry(bobs)}\ntrue`));
    expect(await waitForEnd(connector, curious)).toMatchObject({ stage: 'SUCCESSFUL' });
    expect(readAttempts(curious)).toEqual([
      'read a file',
      'listed a directory',
      'overwrote a file',
      'asked for the script',
      'read the script',
      'held the job',
      'cancelled the job',
    ]);
    // Its script is told to end, and takes a moment for that.
    await pollUntil('it is cancelled', 20, async () => {
      return (await findBatchJob(cluster, bobs.jobId)).state === 'CANCELLED' || undefined;
    });
  });
});
