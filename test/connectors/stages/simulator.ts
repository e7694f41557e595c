import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import type { Table } from '#lib/table/table.ts';
import { openInnerLine } from '../lines.ts';
import type { Order, StagedKind, StagedSystem } from '../staged-system.ts';
import { writeCommand } from './write-command.ts';

/** How long a simulated hour takes. A job waits for a minute of it, or for three if it is held. */
const hourSeconds = 24;
/** A job of six minutes takes about two seconds. */
const shortHours = 0.1;
/** Of its time, a job needs four fifths. */
const usedShare = 0.8;

/** The simulator itself: there is nothing to imitate. */
export async function openSimulator(): Promise<StagedKind> {
  vi.stubEnv('SIM_HOUR_SECONDS', String(hourSeconds));
  const stores: { table?: Table } = {};
  const openItem = (hpc: string, key: string) => {
    const { table } = stores;
    if (!table) throw new Error('The service does not run yet.');
    return { table, TableName: table.name, Key: { PK: `SIMULATOR#${hpc}`, SK: key } };
  };
  const openItems = (hpc: string): Items => ({
    async read(key) {
      const { table, ...item } = openItem(hpc, key);
      return (await table.client.send(new GetCommand(item))).Item;
    },
    async accept(key, at) {
      const { table, ...item } = openItem(hpc, key);
      const UpdateExpression = 'SET accepted_at = :at';
      const ExpressionAttributeValues = { ':at': at.toISOString() };
      await table.client.send(
        new UpdateCommand({ ...item, UpdateExpression, ExpressionAttributeValues }),
      );
    },
  });
  return {
    kind: 'simulator',
    async openSystem(name) {
      return stageSimulator(openItems(name));
    },
    begin({ table }) {
      stores.table = table;
    },
    close: async () => undefined,
  };
}

interface Items {
  read(key: string): Promise<Record<string, unknown> | undefined>;
  /** Changes when a job was accepted, and so when it ends. */
  accept(key: string, at: Date): Promise<void>;
}

function stageSimulator({ read, accept }: Items): StagedSystem {
  const line = openInnerLine();
  let isHolding = false;
  return {
    entry: { connector: { kind: 'simulator' } },
    line,
    write(order: Order) {
      const { command, wishes } = writeCommand(order);
      const fields = isHolding ? { title: 'sim:slow' } : {};
      return { command, wishes: { ...wishes, runtime: shortHours, fields } };
    },
    connect: (opened) => line.through(opened),
    async holdQueue() {
      isHolding = true;
    },
    async releaseQueue() {
      isHolding = false;
    },
    async listActive({ jobId }) {
      const job = await read(jobId);
      return job && job.cancelled_at === undefined && !hasEnded(job) ? [jobId] : [];
    },
    async listLeft({ jobId }) {
      const items = await Promise.all([read(jobId), read(`${jobId}#ORDER`)]);
      return items.flatMap((item, place) => (item ? [`item ${place}`] : []));
    },
    async letEnd({ jobId }) {
      const { hours = 0 } = (await read(jobId)) ?? {};
      await accept(jobId, new Date(Date.now() - (1 + Number(hours)) * hourSeconds * 1000));
    },
    countStarts: async ({ jobId }) => ((await read(jobId)) ? 1 : 0),
    async readRuns({ jobId }) {
      const job = await read(jobId);
      const share = isSlow(job) ? 1 : usedShare;
      return [{ seconds: Math.round(Number(job?.hours) * share * 3600), isLost: false }];
    },
    slackSeconds: 0,
  };
}

const isSlow = (job: Record<string, unknown> | undefined) =>
  String(job?.title).includes('sim:slow');

/** Its course is known from the moment at which it was accepted. */
function hasEnded(job: Record<string, unknown>): boolean {
  const [minutes, share] = isSlow(job) ? [6, 1] : [2, usedShare];
  const seconds = (minutes / 60 + Number(job.hours) * share) * hourSeconds;
  return Date.now() > Date.parse(String(job.accepted_at)) + seconds * 1000;
}
