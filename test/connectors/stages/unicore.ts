import { countSeconds, isOver } from '#test/upstreams/unicore-jobs.ts';
import {
  startUnicoreServer,
  type UnicoreServer,
  type UnicoreServerJob,
} from '#test/upstreams/unicore-server.ts';
import { openHttpLine } from '../lines.ts';
import type { OpenStagedKind, StagedJob, StagedSystem } from '../staged-system.ts';
import { writeCommand } from './write-command.ts';

/** A minute of a time limit takes this long: enough to start in, however busy the machine is. */
const minuteSeconds = 20;
/** Jobs of a real UNICORE have their working directory after some seconds. */
const storageDelayMs = 300;

/** What the stage needs to know of a site, be it real or imitated. */
export interface UnicoreSite {
  /** Up to `/rest/core`. */
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
}

/** What only the site itself can do. Missing parts are those of `StagedSystem`. */
export type UnicoreControls = Omit<
  StagedSystem,
  'entry' | 'credentials' | 'line' | 'write' | 'connect' | 'slackSeconds'
>;

/** A system at the end of a line of its own. */
export async function stageUnicore(
  { baseUrl, credentials }: UnicoreSite,
  controls: UnicoreControls,
): Promise<StagedSystem> {
  const line = await openHttpLine(baseUrl);
  return {
    ...controls,
    entry: { connector: { kind: 'unicore', baseUrl: line.url } },
    credentials,
    line,
    write: writeCommand,
    connect: (opened) => opened,
    // The script counts whole seconds, and the batch system counts those around it, too.
    slackSeconds: 1,
  };
}

/** Imitated sites, one for each scene, with a batch system that runs the jobs. */
export const openImitatedUnicore: OpenStagedKind = async () => {
  const servers: UnicoreServer[] = [];
  return {
    kind: 'unicore',
    async openSystem() {
      const server = await startUnicoreServer({ minuteSeconds, storageDelayMs });
      servers.push(server);
      const site = { baseUrl: server.baseUrl, credentials: { token: 'right' } };
      return stageUnicore(site, controlImitation(server));
    },
    async close() {
      for (const server of servers) server.close();
    },
  };
};

function controlImitation({ batch }: UnicoreServer): UnicoreControls {
  const find = ({ jobId }: StagedJob): UnicoreServerJob[] =>
    [...batch.all.values()].filter(({ description: { Tags = [] } }) => Tags.includes(jobId));
  /** Kept, because a job that is removed takes its counts along. */
  const known = new Map<string, UnicoreServerJob[]>();
  const remember = (job: StagedJob): UnicoreServerJob[] => {
    const found = [...new Set([...(known.get(job.jobId) ?? []), ...find(job)])];
    known.set(job.jobId, found);
    return found;
  };
  const each = (job: StagedJob, act: (job: UnicoreServerJob) => void) => remember(job).forEach(act);
  return {
    async holdQueue() {
      batch.isHolding = true;
    },
    releaseQueue: async () => batch.release(),
    limitMemory() {
      batch.limitsMemory = true;
    },
    listActive: async (job) =>
      remember(job).flatMap(({ id, status, run }) => [
        ...(isOver(status) || !batch.all.has(id) ? [] : [`job ${id}`]),
        ...(run?.listPids() ?? []).map((pid) => `process ${pid}`),
      ]),
    listLeft: async (job) => find(job).map(({ id }) => id),
    readRuns: async (job) =>
      remember(job).flatMap(({ runs }) =>
        runs.map((run) => ({ seconds: countSeconds(run), isLost: run.isLost })),
      ),
    requeue: async (job) => each(job, (one) => batch.startAgain(one, 'REQUEUED')),
    loseRun: async (job) => each(job, (one) => batch.startAgain(one, 'NODE_FAIL')),
    suspend: async (job) => each(job, (one) => batch.suspend(one)),
    resume: async (job) => each(job, (one) => batch.resume(one)),
  };
}
