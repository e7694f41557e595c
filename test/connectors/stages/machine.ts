import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connector, SubmittedJob } from '#lib/hpc/connector.ts';
import { jobId as nameJob, userId } from '#test/fixtures/names.ts';
import { listProcessesOf } from '#test/machine/job-on-machine.ts';
import { openInnerLine } from '../lines.ts';
import type { StagedJob, StagedKind, StagedSystem } from '../staged-system.ts';
import { writeCommand } from './write-command.ts';

/** The cores of one system. A single job can take all of them. */
const cores = 6;

/** The machine that the tests run on. */
export async function openThisMachine(): Promise<StagedKind> {
  return {
    kind: 'machine',
    openSystem: async (name) => stageMachine(name),
    // All systems share the cores of the largest. Their jobs mostly wait, so they may be many.
    others: [{ connector: { kind: 'machine', cores: 500 } }],
    close: async () => undefined,
  };
}

function stageMachine(hpc: string): StagedSystem {
  const line = openInnerLine();
  let machine: Connector | undefined;
  let blocker: SubmittedJob | undefined;
  const locate = async ({ jobId }: StagedJob) => {
    const { thisMachine } = await import('#lib/hpc/machine/this-machine.ts');
    return join(thisMachine().directory, hpc, jobId);
  };
  return {
    entry: { connector: { kind: 'machine', cores }, memoryPerNode: 4 },
    line,
    write: writeCommand,
    connect(opened) {
      machine = opened;
      return line.through(opened);
    },
    async holdQueue() {
      const tag = { jobId: nameJob(randomUUID().toUpperCase()), owner: userId('1') };
      const handle = await machine?.submit({
        ...tag,
        program: 'exec sleep 600',
        nodes: 1,
        coresPerNode: cores,
        hours: 1,
        title: 'blocker',
        extras: {},
      });
      blocker = { ...tag, handle: handle ?? '' };
    },
    async releaseQueue() {
      if (blocker) await machine?.cancel(blocker);
      blocker = undefined;
    },
    async listActive(job) {
      const { observeJob } = await import('#lib/hpc/machine/observe-job.ts');
      const { state } = await observeJob(await locate(job), job.jobId);
      const processes = listProcessesOf(job.jobId).map((pid) => `process ${pid}`);
      return existsSync(join(await locate(job), 'order.json')) && state !== 'ended'
        ? [state, ...processes]
        : processes;
    },
    async listLeft(job) {
      const folder = await locate(job);
      return existsSync(folder) ? readdirSync(folder) : [];
    },
    async readRuns(job) {
      const file = join(await locate(job), 'exit.json');
      if (!existsSync(file)) return [];
      const text = readFileSync(file, 'utf8');
      return [{ seconds: Number(JSON.parse(text).seconds), isLost: false }];
    },
    slackSeconds: 0,
  };
}
