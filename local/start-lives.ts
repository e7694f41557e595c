import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { MachineFacts } from '#lib/hpc/machine/this-machine.ts';
import type { Places } from './dynamodb/table-port.ts';
import type { Lives } from './run-lives.ts';

/** The input of the thread. It also gets a copy of the environment. */
export interface LivesInput {
  readonly systems: readonly HpcSystem[];
  readonly stateDirectory: string;
  /** Folder of the local storage. Undefined with another storage. */
  readonly filesDirectory: string | undefined;
  /** Undefined if no system runs jobs on this machine. */
  readonly machine: MachineFacts | undefined;
  readonly table: MessagePort;
  readonly places: Places;
}

/** Longer than the thread takes to end. */
const closeTimeoutMs = 5_000;

/**
 * Processes jobs in a thread of their own, so that requests do not wait for them. An error in the
 * thread ends the process, because nothing else would advance the jobs.
 */
export async function startLives(
  input: Omit<LivesInput, 'table' | 'places'>,
  openTable: (port: MessagePort) => Places,
): Promise<Lives> {
  const { port1, port2 } = new MessageChannel();
  const places = openTable(port1);
  const workerData: LivesInput = { ...input, table: port2, places };
  const worker = new Worker(new URL('./lives-thread.ts', import.meta.url), {
    workerData,
    transferList: [port2],
  });
  await once(worker, 'message');
  worker.on('error', (error) => {
    throw error;
  });
  return {
    async close() {
      const closed = once(worker, 'message', { signal: AbortSignal.timeout(closeTimeoutMs) });
      worker.postMessage('close');
      await closed.catch(() => undefined);
      port1.close();
      await worker.terminate();
    },
  };
}
