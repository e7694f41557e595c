import type { JobId } from '#lib/catalog/identifiers.ts';
import type { JobOrder, SubmittedJob } from '#lib/hpc/connector.ts';
import type { CredentialStore } from '#lib/hpc/credentials.ts';
import { createNsgConnector, type NsgConnector } from '#lib/hpc/nsg/nsg-connector.ts';
import { openBytes } from '#test/fixtures/byte-streams.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import {
  appkey,
  type NsgServer,
  type NsgServerJob,
  startNsgServer,
} from '#test/upstreams/nsg-server.ts';

export interface Bench {
  readonly server: NsgServer;
  readonly connector: NsgConnector;
  /** Submits a job and gives both sides' view of it. */
  submit(jobId?: JobId): Promise<{ job: SubmittedJob; remote: NsgServerJob }>;
}

export const tag = { jobId: jobId('NGBW-JOB-PY_EXPANSE-1'), owner: userId('42') };

export const order: JobOrder = {
  ...tag,
  program: 'PY_EXPANSE',
  nodes: 2,
  coresPerNode: 4,
  hours: 0.5,
  title: 'a <title>',
  extras: { init_file: 'run.py', python_option: '3' },
  input: {
    fileName: 'in put.zip',
    address: 'https://bucket.example/in.zip',
    open: async () => openBytes(Buffer.from('zip')),
  },
};

export function keepCredentials(...passwords: string[]): CredentialStore {
  return {
    read: async () => ({ username: 'registrant', password: passwords[0] ?? '', appkey }),
    forget: () => void (passwords.length > 1 && passwords.shift()),
  };
}

export async function openNsg(
  credentials = keepCredentials('right'),
  timeoutSeconds = 5,
): Promise<Bench> {
  const server = await startNsgServer();
  const connector = createNsgConnector({
    baseUrl: `${server.baseUrl}/`,
    credentials,
    endUsers: { emailDomain: 'slipway.example', institution: 'Slipway', country: 'DE' },
    timeoutSeconds,
  });
  return {
    server,
    connector,
    async submit(jobId = tag.jobId) {
      const handle = await connector.submit({ ...order, jobId });
      return { job: { ...tag, jobId, handle }, remote: server.jobs.get(handle)! };
    },
  };
}
