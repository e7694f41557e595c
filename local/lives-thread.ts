import { parentPort, workerData } from 'node:worker_threads';
import { announceShutdownBy } from '#lib/outbound/shutdown.ts';
import { type JoiningInput, joinService } from './join-service.ts';
import { runLives } from './run-lives.ts';

/**
 * Runs the thread that start-lives.ts starts. Posts a message once jobs are processed, and another
 * when it has ended.
 */
async function main(input: JoiningInput): Promise<void> {
  const stream = joinService(input);
  const shutdown = new AbortController();
  announceShutdownBy(shutdown.signal);
  const lives = await runLives(stream, input);
  parentPort?.once('message', async () => {
    shutdown.abort();
    await lives.close();
    parentPort?.postMessage('ended');
  });
  parentPort?.postMessage('running');
}

await main(workerData);
