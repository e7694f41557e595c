import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import type { Table } from '#lib/table/table.ts';
import { openInnerLine } from '../lines.ts';
import type { Order, StagedKind, StagedSystem } from '../staged-system.ts';
import { writeCommand } from './write-command.ts';

/** How long a simulated hour takes. */
const hourSeconds = 24;
/** A job of six minutes takes about two seconds. */
const shortHours = 0.1;
/** A held job is not accepted before the scene is over. */
const longMs = 3_600_000;
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
  const held = new Set<string>();
  return {
    entry: { connector: { kind: 'simulator' } },
    line,
    write(order: Order) {
      const { command, wishes } = writeCommand(order);
      return { command, wishes: { ...wishes, runtime: shortHours } };
    },
    connect: (opened) =>
      line.through({
        ...opened,
        async submit(order) {
          const handle = await opened.submit(order);
          if (isHolding) {
            held.add(order.jobId);
            await accept(order.jobId, new Date(Date.now() + longMs));
          }
          return handle;
        },
      }),
    async holdQueue() {
      isHolding = true;
    },
    async releaseQueue() {
      isHolding = false;
      for (const jobId of held) await accept(jobId, new Date());
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
      return [{ seconds: Math.round(Number(job?.hours) * usedShare * 3600), isLost: false }];
    },
    slackSeconds: 0,
  };
}

/** Its course is known from the moment at which it was accepted. */
function hasEnded(job: Record<string, unknown>): boolean {
  const seconds = (2 / 60 + Number(job.hours) * usedShare) * hourSeconds;
  return Date.now() > Date.parse(String(job.accepted_at)) + seconds * 1000;
}
