import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import {
  type BatchServer,
  definitionName,
  queueName,
  reclaimed,
  startBatchServer,
} from '#test/upstreams/batch-server.ts';
import { openHttpLine } from '../lines.ts';
import type { OpenStagedKind, StagedSystem } from '../staged-system.ts';
import { writeCommand } from './write-command.ts';

const smallestPath = '/usr/bin:/bin';
/** Long enough to start in, also on a machine with much else to do. */
const minuteSeconds = 20;
/** How far lists lag behind: not at all, which the connector need not know. */
const listLagSeconds = 0.2;

/** Imitations of AWS Batch, one for each scene, whose containers are processes. */
export const openImitatedBatch: OpenStagedKind = async (directory) => {
  const servers: BatchServer[] = [await startBatchServer()];
  const idleLine = await openHttpLine(servers[0]?.url ?? '');
  vi.stubEnv('AWS_ENDPOINT_URL_BATCH', idleLine.url);
  return {
    kind: 'batch',
    async openSystem(name) {
      const disk = join(directory, name);
      mkdirSync(disk);
      const runsCommands = { PATH: smallestPath, TMPDIR: disk };
      const server = await startBatchServer({ runsCommands, minuteSeconds });
      servers.push(server);
      return { ...(await stageBatch(server, disk)), idleLine };
    },
    async close() {
      await idleLine.close();
      for (const server of servers) server.close();
    },
  };
};

async function stageBatch(server: BatchServer, disk: string): Promise<StagedSystem> {
  // A job definition mounts it; here every process finds it.
  const mounted = join(disk, 'mounted');
  mkdirSync(mounted);
  const line = await openHttpLine(server.url);
  const place = { queue: queueName, definition: definitionName, spot: true };
  return {
    entry: {
      connector: { kind: 'batch', queue: queueName, jobDefinition: definitionName, spot: true },
      limits: { nodes: 1, coresPerNode: 16 },
      memoryPerNode: 100,
    },
    keptPath: mounted,
    line,
    write: writeCommand,
    /** The SDK takes one endpoint for all systems, so the connector gets a client of its own. */
    async connect() {
      const { openBatchApi } = await import('#lib/hpc/aws-batch/batch-api.ts');
      const { createBatchConnector } = await import('#lib/hpc/aws-batch/batch-connector.ts');
      const api = openBatchApi({
        endpoint: line.url,
        region: 'eu-central-1',
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      });
      return createBatchConnector({ ...place, listLagSeconds }, api);
    },
    async holdQueue() {
      server.isHolding = true;
    },
    releaseQueue: async () => server.release(),
    limitMemory() {
      server.mostBytes = 100_000_000;
    },
    listActive: async ({ jobId }) =>
      server
        .listIds(jobId)
        .flatMap((id) => [
          ...(['SUCCEEDED', 'FAILED'].includes(server.statusOf(id)) ? [] : [id]),
          ...server.listPids(id).map((pid) => `process ${pid}`),
        ]),
    listLeft: async () => readdirSync(disk).filter((name) => join(disk, name) !== mounted),
    readRuns: async ({ jobId }) =>
      server
        .listIds(jobId)
        .flatMap((id) => server.attemptsOf(id))
        .map(({ startedAt = 0, stoppedAt = 0, statusReason }) => ({
          seconds: (stoppedAt - startedAt) / 1000,
          isLost: statusReason === reclaimed,
        })),
    slackSeconds: 0,
    async loseRun({ jobId }) {
      for (const id of server.listIds(jobId)) server.reclaim(id);
    },
  };
}
