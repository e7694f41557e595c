import type { Cluster } from './cluster.ts';

/** A job as Slurm itself tells of it, not by way of slurmrestd. */
export interface BatchJobState {
  readonly id: string;
  /** Our job id. */
  readonly name: string;
  readonly state: string;
  readonly ranSeconds: number;
}

/** Also those that ended: Slurm of this cluster keeps them for five minutes. */
async function listBatchJobs(cluster: Cluster): Promise<BatchJobState[]> {
  const lines = await cluster.ask('squeue', '-h', '-t', 'all', '-o', '%A|%j|%T|%M');
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', name = '', state = '', clock = ''] = line.split('|');
      return { id, name, state, ranSeconds: readClock(clock) };
    });
}

export async function findBatchJob(cluster: Cluster, jobId: string): Promise<BatchJobState> {
  const own = (await listBatchJobs(cluster)).filter(({ name }) => name === jobId);
  if (own.length !== 1) throw new Error(`Slurm has ${own.length} jobs of the name ${jobId}.`);
  return own[0]!;
}

/** The names of the jobs that wait, run, or end at the moment. */
export async function listLivingNames(cluster: Cluster): Promise<string[]> {
  return (await cluster.ask('squeue', '-h', '-o', '%j')).split('\n');
}

/** The addresses that the script of a job has for curl. */
export async function readAddresses(cluster: Cluster, id: string): Promise<URL[]> {
  return listAddresses(await cluster.ask('scontrol', 'write', 'batch_script', id, '-'));
}

export function listAddresses(script: string): URL[] {
  const found = script.matchAll(/'(https?:\/\/[^']+)'/g);
  return [...found].map(([, address = '']) => new URL(address));
}

/** `1:02:03`, `0:07` */
function readClock(clock: string): number {
  return clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
