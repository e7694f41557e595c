import type { JobOrder } from '#lib/hpc/connector.ts';
import type { CredentialStore } from '#lib/hpc/credentials.ts';
import { createSlurmConnector, type SlurmOptions } from '#lib/hpc/slurm/slurm-connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import type { FakeSlurmrestd } from '#test/slurm/fake-slurmrestd.ts';

/** Credentials that are another token each time they were forgotten. */
export function keepTokens(first: string, ...later: string[]): CredentialStore {
  let token = first;
  return {
    read: async () => ({ user: 'hpcuser1', token }),
    forget() {
      token = later.shift() ?? token;
    },
  };
}

export function connect(fake: FakeSlurmrestd, more: Partial<SlurmOptions> = {}) {
  return createSlurmConnector({
    baseUrl: fake.url,
    credentials: keepTokens('good'),
    partition: 'hpc_one',
    workDirectory: '/scratch',
    timeoutSeconds: 60,
    ...more,
  });
}

export const order: JobOrder = {
  jobId: jobId('JOB-1'),
  owner: userId('306328'),
  program: 'true',
  nodes: 2,
  coresPerNode: 8,
  hours: 1.1,
  title: 'a title',
  extras: {},
};
