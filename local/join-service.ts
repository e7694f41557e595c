import type { MessagePort } from 'node:worker_threads';
import { catalog } from '#lib/catalog/catalog.ts';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { storeInProcess } from '#lib/files/storage/direct-store.ts';
import { keepCredentialsInProcess } from '#lib/hpc/credentials.ts';
import type { MachineFacts } from '#lib/hpc/machine/this-machine.ts';
import { connectInProcess } from '#lib/table/connection.ts';
import { openCredentialsFile } from './credentials/credentials-file.ts';
import { openTablePort, type Places } from './dynamodb/table-port.ts';
import { sendMeasurements } from './metrics/share-measurements.ts';
import { shareObjectsOnDisk } from './storage/objects-on-disk.ts';
import { openDirectStore } from './storage/open-direct-store.ts';
import type { FollowedStream } from './stream/follow-stream.ts';
import { offerThisMachine } from './this-machine.ts';

/** What a thread needs to run functions. It also gets a copy of the environment. */
export interface ThreadInput {
  readonly systems: readonly HpcSystem[];
  readonly stateDirectory: string;
  /** Folder of the local storage. Undefined with another storage. */
  readonly filesDirectory: string | undefined;
  readonly hooksDirectory?: string | undefined;
  /** Undefined if no system runs jobs on this machine. */
  readonly machine: MachineFacts | undefined;
  /** Where to send what the thread measures, if anybody watches the service. */
  readonly channelName: string | undefined;
}

export interface JoiningInput extends ThreadInput {
  readonly table: MessagePort;
  readonly places: Places;
}

/** Prepares this thread for functions, as the thread that answers requests is. */
export function joinService(input: JoiningInput): FollowedStream {
  chooseSystems(input.systems);
  if (input.channelName !== undefined) sendMeasurements(input.channelName);
  keepCredentialsInProcess(openCredentialsFile(input.stateDirectory, catalog));
  if (input.machine) offerThisMachine(input.machine);
  const { connection, stream } = openTablePort(input.table, input.places);
  connectInProcess(connection);
  if (input.filesDirectory !== undefined) {
    const objects = shareObjectsOnDisk(input.filesDirectory);
    storeInProcess((bucket) => openDirectStore(objects, bucket));
  }
  return stream;
}
