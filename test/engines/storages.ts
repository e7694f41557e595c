import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PartStore } from '#lib/files/storage/parts.ts';
import type { StorageSettings } from '#lib/files/storage/storage-address.ts';
import { startStorage } from '#local/storage/start-storage.ts';

export interface StorageEngine {
  name: string;
  /** Whether it looks at signatures of version 4 and at conditions. */
  checksSignatures: boolean;
  /** With an empty bucket in it. */
  start(directory: string): Promise<StartedStorage>;
  /** s3rver can't. */
  listsParts: boolean;
}

interface StartedStorage {
  readonly settings: StorageSettings;
  /** The laptop begins and joins parts in its own process. */
  readonly parts?: PartStore;
  close(): Promise<void>;
}

const bucket = 'slipway-inputs';

/** What a test of the files runs on: the laptop's storage in its two kinds, and another S3 server. */
export const storages: StorageEngine[] = [
  {
    name: 'the local storage, on disk',
    checksSignatures: true,
    listsParts: true,
    start: (directory) => startLocal({ directory }),
  },
  {
    name: 'the local storage, in memory',
    checksSignatures: true,
    listsParts: true,
    start: () => startLocal({}),
  },
  { name: 's3rver', checksSignatures: false, listsParts: false, start: startS3rver },
];

/** Another S3, such as that of moto, which the caller of the tests has started (docs/testing.md). */
export function startedElsewhere(endpoint = process.env.S3_ENDPOINT): StorageEngine[] {
  if (endpoint === undefined) return [];
  const start = async () => {
    await fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
    return { settings: settingsFor(endpoint, 'testing'), close: async () => undefined };
  };
  return [{ name: endpoint, checksSignatures: false, listsParts: true, start }];
}

function settingsFor(endpoint: string, name: string): StorageSettings {
  return {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: name,
    AWS_SECRET_ACCESS_KEY: name,
    AWS_ENDPOINT_URL_S3: endpoint,
  };
}

async function startLocal(place: { directory?: string }) {
  const credentials = {
    accessKeyId: 'local',
    secretAccessKey: 'local',
    region: 'eu-central-1',
  };
  const storage = await startStorage({ buckets: [bucket], credentials, ...place });
  const { parts } = storage.openBucket(bucket);
  return { settings: settingsFor(storage.endpoint, 'local'), parts, close: storage.close };
}

/** It comes without types; this is as much of it as is used. */
interface S3rver {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}

export async function startS3rver(directory: string, name = bucket) {
  const Server: new (options: object) => S3rver = createRequire(import.meta.url)('s3rver');
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(directory, 's3rver'),
    configureBuckets: [{ name }],
  });
  const { port } = await server.run();
  return {
    settings: settingsFor(`http://127.0.0.1:${port}`, 'S3RVER'),
    close: () => server.close(),
  };
}
