import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { ConnectorSettings, HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Table } from '#lib/table/table.ts';
import type { Service } from '#local/start-service.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { projectName, systemName } from '#test/fixtures/names.ts';
import { startUpstream, type Upstream, type UpstreamRequest } from '../upstreams/start-upstream.ts';
import type { Cluster } from './cluster.ts';

export interface ServiceOnSlurm {
  readonly service: Service;
  readonly table: Table;
  /** Stops the service, and starts it again at the same address with the data that it had. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Between hpc_three and slurmrestd. */
  readonly line: Upstream;
  close(): Promise<void>;
}

const secretId = 'slipway/slurm';

/** As much of a cluster as the catalog and the secret must know. */
export interface Site
  extends Pick<Cluster, 'url' | 'user' | 'token' | 'partition' | 'workDirectory'> {
  /** The login node by which it is reached, in the place of slurmrestd. */
  readonly ssh?: { readonly reach: SshReach; readonly sshKey: string };
}

type SshReach = NonNullable<Extract<ConnectorSettings, { kind: 'slurm' }>['reach']>;

export interface SiteTerms {
  /** How long an address of the storage is good for; a quarter of an hour, unless it is said. */
  readonly signedSeconds?: number;
  readonly maxResultsBytes?: number;
  /** A second, unless it is said. */
  readonly pollFloorSeconds?: number;
  /** Whether the data are on disk, so that the service can be stopped and started again. */
  readonly keepsData?: boolean;
  /** What the entry of `hpc_one` says besides. */
  readonly entry?: Partial<HpcSystem>;
  /** The account that jobs of `hpc_one` are charged to. */
  readonly account?: string;
}

/**
 * The laptop edition before a real Slurm: only the catalog says so, and the secret with the
 * credentials. `hpc_one` is the cluster, `hpc_three` is the same cluster at the end of a line that
 * can lose answers, `hpc_two` stays simulated.
 */
export async function startServiceOn(
  cluster: Site,
  terms: SiteTerms = {},
): Promise<ServiceOnSlurm> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'slipway-'));
  const line = await startUpstream((request) => passOn(cluster.url, request));
  const { user, token, ssh } = cluster;
  const secrets = await startSecretsManager(ssh ? { sshKey: ssh.sshKey } : { user, token });
  const release = () => {
    vi.doUnmock('../fixtures/chosen-systems.ts');
    vi.doUnmock('#lib/jobs/passes/find-active-job.ts');
    vi.unstubAllEnvs();
    line.close();
    secrets.close();
    rmSync(stateDirectory, { recursive: true });
  };
  try {
    vi.stubEnv('HPC_SECRETS', JSON.stringify({ hpc_one: secretId, hpc_three: secretId }));
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.url);
    await putIntoCatalog(cluster, line.url, terms);
    const { startService } = await import('#local/start-service.ts');
    const { openTable } = await import('#lib/table/table.ts');
    const dataDirectory = terms.keepsData ? join(stateDirectory, 'data') : 'memory';
    const options = { port: 0, dataDirectory, stateDirectory, runsJobs: true };
    let service = await startService(options);
    let table = openTable('slipway');
    const port = Number(new URL(service.url).port);
    const stop = async () => {
      await service.close();
      table.client.destroy();
    };
    return {
      get service() {
        return service;
      },
      get table() {
        return table;
      },
      line,
      stop,
      async start() {
        // The functions keep the table that they were loaded with.
        vi.resetModules();
        const again = await import('#local/start-service.ts');
        service = await again.startService({ ...options, port });
        table = (await import('#lib/table/table.ts')).openTable('slipway');
      },
      async close() {
        await stop();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The functions read the catalog on loading: whatever was loaded before must not count. */
async function putIntoCatalog(
  { url, partition, workDirectory, ssh }: Site,
  lineUrl: string,
  { signedSeconds, maxResultsBytes, pollFloorSeconds = 1, entry, account }: SiteTerms,
) {
  vi.resetModules();
  if (signedSeconds !== undefined) {
    vi.doMock(import('#lib/jobs/passes/passes.ts'), async (importOriginal) => ({
      ...(await importOriginal()),
      signedSeconds,
    }));
  }
  const connect = (baseUrl: string): ConnectorSettings => {
    const way = ssh ? { reach: ssh.reach } : { baseUrl };
    return { kind: 'slurm', ...way, partition, workDirectory, pollFloorSeconds };
  };
  const [one, ...others] = catalog.systems;
  if (one?.name !== 'hpc_one') throw new Error('hpc_one is not the first system any more.');
  const three: HpcSystem = {
    ...one,
    name: systemName('hpc_three'),
    projects: [
      {
        ...one.projects[0],
        number: 4,
        name: projectName('proj_hpc_three_01'),
        hpc: systemName('hpc_three'),
      },
    ],
    connector: connect(lineUrl),
  };
  const cluster: HpcSystem = {
    ...one,
    ...(maxResultsBytes !== undefined && { maxResultsBytes }),
    ...entry,
    connector: { ...connect(url), ...(account !== undefined && { account }) },
  };
  const systems = [cluster, ...others, three];
  vi.doMock('../fixtures/chosen-systems.ts', () => ({ chosenSystems: () => systems }));
}

/** The one question that Secrets Manager is asked. */
function startSecretsManager(credentials: Readonly<Record<string, string>>): Promise<Upstream> {
  return startUpstream(({ headers, body }) => {
    const asked: { SecretId?: unknown } = JSON.parse(body.toString());
    const known =
      headers['x-amz-target'] === 'secretsmanager.GetSecretValue' && asked.SecretId === secretId;
    if (!known) return { status: 400, body: '{"__type":"ResourceNotFoundException"}' };
    const answer = { Name: secretId, SecretString: JSON.stringify(credentials) };
    const type = { 'content-type': 'application/x-amz-json-1.1' };
    return { status: 200, headers: type, body: JSON.stringify(answer) };
  });
}

export async function passOn(
  baseUrl: string,
  { method, path, query, headers, body }: UpstreamRequest,
) {
  const passed = ['x-slurm-user-name', 'x-slurm-user-token', 'content-type'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const search = query.size > 0 ? `?${query}` : '';
  try {
    const answer = await fetch(`${baseUrl}${path}${search}`, {
      method,
      headers: Object.fromEntries(passed),
      ...(method === 'POST' && { body }),
    });
    return { status: answer.status, body: await answer.bytes() };
  } catch {
    return { status: 502 };
  }
}
