import type { Cluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { meetResearcher, type Researcher, type Wishes } from './researcher.ts';
import type { ServiceOnSlurm } from './service.ts';

/** A job that is compared with what Slurm's accounting says of it. */
export interface Tried {
  readonly what: string;
  readonly who: Researcher;
  readonly path: string;
  readonly jobId: string;
  /** Seconds that its command takes, where it comes to its end. */
  readonly command: number | undefined;
  /** Seconds. */
  readonly grant: number;
  /** Node-seconds that were reserved for it. */
  readonly hold: number;
}

export interface Charged {
  readonly used: number;
  readonly isSettled: boolean;
  readonly reason: string;
}

/** A record of sacct: one run of a job. */
export interface Accounted {
  /** As Slurm's commands know the job: `12`, or `12_3` for a task. */
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** Without the time in which it was suspended. */
  readonly elapsed: number;
}

interface SettleLine {
  readonly kind: string;
  readonly reason: string;
  readonly job_id?: string;
  readonly settled?: { readonly used: number; readonly held: number };
}

/** Jobs of many people, of whom each has a quota of their own, on one cluster. */
export class TriedJobs {
  readonly all: Tried[] = [];
  readonly #slipway: ServiceOnSlurm;

  constructor(slipway: ServiceOnSlurm) {
    this.#slipway = slipway;
  }

  async submit(
    what: string,
    script: string,
    command: number | undefined,
    wishes: Wishes = {},
  ): Promise<Tried> {
    const who = meetResearcher(this.#slipway.service);
    const { path, body } = await who.submit(script, wishes);
    return this.add({ what, who, path, jobId: body.job_id, command }, wishes.nodes);
  }

  async add(job: Omit<Tried, 'grant' | 'hold'>, nodes = 1): Promise<Tried> {
    const { runtime } = await job.who.read<{ runtime: number }>(job.path);
    const grant = Math.round(runtime * 3600);
    const tried = { ...job, grant, hold: grant * nodes };
    this.all.push(tried);
    return tried;
  }

  /** Submits a batch whose jobs Slurm gets as one array. */
  async submitBatch(what: string, script: string, count: number, wishes: Wishes): Promise<Tried[]> {
    const who = meetResearcher(this.#slipway.service);
    const { body } = await who.submitBatch(script, { count: String(count) }, wishes);
    const place = `/jobs/hpc_one/${body.project_name}/`;
    const jobs = await pollUntil('the batch has its jobs', 60, async () => {
      const found = await who.read<{ job_id: string }[]>(`${place}?batch=${body.batch_id}`);
      return found.length === count ? found : undefined;
    });
    const added: Tried[] = [];
    for (const { job_id: jobId } of jobs) {
      added.push(
        await this.add({ what, who, path: `${place}${jobId}/`, jobId, command: undefined }),
      );
    }
    return added;
  }

  async readCharge({ who, jobId, hold }: Tried): Promise<Charged> {
    const lines = await who.read<SettleLine[]>('/quotas/hpc_one/proj_hpc_one_01/ledger/');
    const line = lines.find(({ kind, job_id }) => kind === 'settle' && job_id === jobId);
    const { settled, reason = '' } = line ?? {};
    return { used: settled?.used ?? 0, isSettled: settled?.held === hold, reason };
  }

  async waitFor(jobs: readonly Tried[], seconds = 240): Promise<void> {
    for (const job of jobs) {
      await job.who.waitForEnd(job.path, seconds);
      await pollUntil(`${job.what} is settled`, seconds, async () => {
        return (await this.readCharge(job)).isSettled || undefined;
      });
    }
  }

  async waitForRunning(jobs: readonly Tried[]): Promise<void> {
    for (const { who, path } of jobs) await who.waitForStage(path, 'RUNNING');
  }

  async cancelAll(jobs: readonly Tried[]): Promise<void> {
    for (const { who, path } of jobs) await who.cancel(path);
  }
}

/** Reads every run that slurmdbd has. */
async function readAccounting(cluster: Cluster): Promise<Accounted[]> {
  const fields = 'JobID%30,JobName%60,State%20,ElapsedRaw';
  const options = ['-a', '-n', '-P', '-X', '-D', '-S', 'now-1days', '-o', fields];
  const lines = (await cluster.ask('sacct', ...options)).split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', name = '', state = '', elapsed = ''] = line.split('|');
      return { id, name, state: state.split(' ')[0] ?? '', elapsed: Number(elapsed) };
    });
}

/** Waits until slurmdbd has heard of every end. */
export async function readFinalAccounting(cluster: Cluster): Promise<Accounted[]> {
  return pollUntil('slurmdbd has all that ran', 60, async () => {
    const records = await readAccounting(cluster);
    const isOpen = ({ state }: Accounted) => /RUNNING|PENDING|COMPLETING|SUSPENDED/.test(state);
    return records.some(isOpen) ? undefined : records;
  });
}

/** Compares all charges by `reconcile --against-system`, and prints what that says. */
export async function compareCharges(slipway: ServiceOnSlurm) {
  const { compareWithSystem, describeComparison, readPeriod } = await import(
    '#tools/reconcile/compare-with-system.ts'
  );
  const { catalog, findSystem } = await import('#lib/catalog/catalog.ts');
  const { openConnector } = await import('#lib/hpc/open/open-connector.ts');
  const { openSecrets } = await import('#lib/hpc/credentials.ts');
  const system = findSystem(catalog, 'hpc_one');
  const openCredentials = openSecrets(JSON.parse(process.env.HPC_SECRETS ?? '{}'));
  const connector = openConnector(slipway.table, system, {
    simulatedHourSeconds: 60,
    openCredentials,
  });
  const given = { system, projects: system.projects, connector };
  const comparison = await compareWithSystem(slipway.table, given, readPeriod());
  process.stdout.write(`${describeComparison('hpc_one', comparison)}\n`);
  return comparison;
}

export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => String(row[at]).length)));
  const lines = rows.map((row) =>
    row.map((cell, at) => String(cell).padEnd(widths?.[at] ?? 0)).join('  '),
  );
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

export async function passSeconds(seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  const isOver = async () => Date.now() >= end || undefined;
  await pollUntil(`${seconds} seconds are over`, seconds + 5, isOver);
}
