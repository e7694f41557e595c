import { parentPort, workerData } from 'node:worker_threads';
import { catalog } from '#lib/catalog/catalog.ts';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import { storeInProcess } from '#lib/files/storage/direct-store.ts';
import { keepCredentialsInProcess } from '#lib/hpc/credentials.ts';
import { announceShutdownBy } from '#lib/outbound/shutdown.ts';
import { connectInProcess } from '#lib/table/connection.ts';
import { openCredentialsFile } from './credentials/credentials-file.ts';
import { openTablePort } from './dynamodb/table-port.ts';
import { runLives } from './run-lives.ts';
import type { LivesInput } from './start-lives.ts';
import { shareObjectsOnDisk } from './storage/objects-on-disk.ts';
import { openDirectStore } from './storage/open-direct-store.ts';
import { offerThisMachine } from './this-machine.ts';

/**
 * Runs the thread that start-lives.ts starts. Posts a message once jobs are processed, and another
 * when it has ended.
 */
async function main(input: LivesInput): Promise<void> {
  const { systems, stateDirectory, filesDirectory, machine, table, places } = input;
  chooseSystems(systems);
  keepCredentialsInProcess(openCredentialsFile(stateDirectory, catalog));
  if (machine) offerThisMachine(machine);
  const { connection, stream } = openTablePort(table, places);
  connectInProcess(connection);
  if (filesDirectory !== undefined) {
    const objects = shareObjectsOnDisk(filesDirectory);
    storeInProcess((bucket) => openDirectStore(objects, bucket));
  }
  const shutdown = new AbortController();
  announceShutdownBy(shutdown.signal);
  const lives = await runLives(stream);
  parentPort?.once('message', async () => {
    shutdown.abort();
    await lives.close();
    parentPort?.postMessage('ended');
  });
  parentPort?.postMessage('running');
}

await main(workerData);
