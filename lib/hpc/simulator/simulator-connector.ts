import { streamBytes } from '#lib/byte-streams/byte-stream.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import type {
  Connector,
  JobInput,
  JobOrder,
  Observation,
  OpenKind,
  SubmittedJob,
} from '../connector.ts';
import {
  JobRefusedError,
  RemoteFileNotFoundError,
  SystemBusyError,
  SystemUnavailableError,
} from '../errors.ts';
import { listInput } from './list-input.ts';
import { observeCourse, plotCourse, type SimulatedJob, saysWord } from './simulated-job.ts';
import { cancelJob, hasJob, putJob, putOrder, readJobs, readWholeJob } from './simulator-store.ts';
import { type OutputFile, type SimulatedOrder, writeOutput } from './write-output.ts';

export interface SimulatorOptions {
  readonly hourSeconds: number;
  readonly now?: () => Date;
}

export const open: OpenKind<'simulator'> = (_, { table, system, simulatedHourSeconds }) =>
  createSimulator(table, system, { hourSeconds: simulatedHourSeconds });

/**
 * An HPC system that only keeps the time. It stores its jobs in the table, so that every process sees
 * the same system, also after a restart.
 */
export function createSimulator(
  table: Table,
  system: HpcSystem,
  { hourSeconds, now = () => new Date() }: SimulatorOptions,
): Connector {
  const hpc = system.name;
  function observe(job: SimulatedJob | undefined): Observation {
    if (!job || job.cancelledAt || saysWord(job.title, 'gone')) return { state: 'unknown' };
    return observeCourse(system.stages, plotCourse(system.stages, job, hourSeconds), now());
  }
  async function readOutput({ jobId }: SubmittedJob): Promise<OutputFile[]> {
    const job = await readWholeJob(table, hpc, jobId);
    if (!job || saysWord(job.title, 'gone')) return [];
    const at = job.cancelledAt ?? now();
    return writeOutput(system, job, plotCourse(system.stages, job, hourSeconds), at);
  }
  return {
    pollFloorSeconds: Math.min(60, hourSeconds / 60),
    batchSize: 100,
    submit: (order) => takeJob(table, hpc, order, now()),
    findByTag: async ({ jobId }) => ((await hasJob(table, hpc, jobId)) ? jobId : undefined),
    async lookUp(jobs) {
      const jobIds = jobs.map(({ jobId }) => jobId);
      const known = await readJobs(table, hpc, jobIds, now());
      return new Map(jobIds.map((jobId) => [jobId, observe(known.get(jobId))]));
    },
    cancel: ({ jobId }) => cancelJob(table, hpc, jobId, now()),
    async listFiles(job) {
      const files = await readOutput(job);
      return files.map(({ name, text }) => ({ id: name, name, bytes: Buffer.byteLength(text) }));
    },
    async openFile(job, fileId) {
      const file = (await readOutput(job)).find(({ name }) => name === fileId);
      if (!file) throw new RemoteFileNotFoundError();
      const bytes = Buffer.from(file.text);
      return { bytes: bytes.length, stream: streamBytes(bytes) };
    },
    checkHealth: async () => undefined,
  };
}

/** Writes the order first, so that every job has one even if this process dies. */
async function takeJob(table: Table, hpc: SystemName, order: JobOrder, at: Date): Promise<string> {
  const { jobId, login, title, program, nodes, coresPerNode, environment } = order;
  if (saysWord(title, 'refuse')) {
    throw new JobRefusedError('The simulator was told to refuse this job.');
  }
  const input = await describeInput(order.input);
  const asked = { login, program, nodes, coresPerNode, environment, input };
  const triedBefore = await putOrder(table, hpc, jobId, asked);
  if (saysWord(title, 'busy') && !triedBefore) {
    const said = 'The simulator was told to be busy.';
    throw new SystemBusyError(said, 2, { said });
  }
  await putJob(table, hpc, order, at);
  if (saysWord(title, 'lost')) {
    throw new SystemUnavailableError('The simulator was told to lose its answer.');
  }
  return jobId;
}

async function describeInput(input: JobInput | undefined): Promise<SimulatedOrder['input']> {
  if (!input) return 'none';
  return (await listInput(await input.open())) ?? 'unreadable';
}
