import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Places } from './dynamodb/table-port.ts';
import type { JoiningInput, ThreadInput } from './join-service.ts';
import type { Lives } from './run-lives.ts';

/** A third of what is usual, which the thread would fill before it collects anything. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/** Longer than the thread takes to end. */
const closeTimeoutMs = 5_000;

/**
 * Processes jobs in a thread of their own, so that requests do not wait for them. An error in the
 * thread ends the process, because nothing else would advance the jobs.
 */
export async function startLives(
  input: ThreadInput,
  openTable: (port: MessagePort) => Places,
): Promise<Lives> {
  const { port1, port2 } = new MessageChannel();
  const places = openTable(port1);
  const workerData: JoiningInput = { ...input, table: port2, places };
  const worker = new Worker(new URL('./lives-thread.ts', import.meta.url), {
    workerData,
    transferList: [port2],
    resourceLimits,
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
