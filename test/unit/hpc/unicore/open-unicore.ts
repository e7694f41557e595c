import type { Connector, JobOrder, SubmittedJob } from '#lib/hpc/connector.ts';
import type { CredentialStore } from '#lib/hpc/credentials.ts';
import type { UnicoreSite } from '#lib/hpc/unicore/describe-job.ts';
import { createUnicoreConnector } from '#lib/hpc/unicore/unicore-connector.ts';
import { openBytes } from '#test/fixtures/byte-streams.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import type { UnicoreJobsOptions } from '#test/upstreams/unicore-jobs.ts';
import { startUnicoreServer, type UnicoreServer } from '#test/upstreams/unicore-server.ts';

export interface Bench {
  readonly server: UnicoreServer;
  readonly connector: Connector;
  /** Submits a job and gives both sides' view of it. */
  submit(): Promise<{ job: SubmittedJob; remote: NonNullable<ReturnType<typeof firstJob>> }>;
}

export const tag = { jobId: jobId('4FF0AC3E-6F0F-4C3D-9D0A-1F2A8F0C2B11'), owner: userId('42') };

export const order: JobOrder = {
  ...tag,
  program: 'echo \'a b\' > "$HOME"',
  nodes: 2,
  coresPerNode: 4,
  hours: 1.5,
  title: 'a title',
  extras: {},
  input: {
    fileName: 'in put.zip',
    address: 'https://bucket.example/in.zip',
    open: async () => openBytes(Buffer.from('zip')),
  },
};

export function keepCredentials(...values: Record<string, string>[]): CredentialStore {
  return {
    read: async () => values[0] ?? {},
    forget: () => void (values.length > 1 && values.shift()),
  };
}

export function firstJob({ jobs }: UnicoreServer) {
  return [...jobs.values()][0];
}

export async function openUnicore(
  credentials = keepCredentials({ token: 'right' }),
  timeoutSeconds = 5,
  more: UnicoreJobsOptions & UnicoreSite = {},
) {
  const server = await startUnicoreServer({ runsJobs: false, storageDelayMs: 0, ...more });
  const connector = createUnicoreConnector({
    baseUrl: `${server.baseUrl}/`,
    credentials,
    timeoutSeconds,
    ...more,
  });
  const bench: Bench = {
    server,
    connector,
    async submit() {
      const handle = await connector.submit(order);
      return { job: { ...tag, handle }, remote: server.jobs.get(handle)! };
    },
  };
  return bench;
}
