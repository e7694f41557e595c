import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { ConnectorSettings, HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Service } from '#local/start-service.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import type { Unicore } from './server.ts';

export interface ServiceOnUnicore {
  readonly service: Service;
  close(): Promise<void>;
}

/**
 * The laptop edition before a real UNICORE/X: only the catalog says so, and the file with the
 * credentials. `hpc_one` is the server; the others stay simulated.
 */
export async function startServiceOn(
  { baseUrl, user: username, password }: Pick<Unicore, 'baseUrl' | 'user' | 'password'>,
  settings: Partial<ConnectorSettings> = {},
): Promise<ServiceOnUnicore> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'slipway-'));
  const credentials = { hpc_one: { username, password } };
  writeFileSync(join(stateDirectory, 'credentials.json'), JSON.stringify(credentials), {
    mode: 0o600,
  });
  const [one, ...others] = catalog.systems;
  if (one?.name !== 'hpc_one') throw new Error('hpc_one is not the first system any more.');
  const connector = { kind: 'unicore' as const, baseUrl, pollFloorSeconds: 1, ...settings };
  const system: HpcSystem = {
    ...one,
    connector: { ...connector, kind: 'unicore' },
    limits: { nodes: 4, coresPerNode: 8 },
  };
  // The functions read the catalog on loading: whatever was loaded before must not count.
  vi.resetModules();
  vi.doMock('../fixtures/chosen-systems.ts', () => ({ chosenSystems: () => [system, ...others] }));
  vi.stubEnv('LOG_LEVEL', 'SILENT');
  const release = () => {
    vi.doUnmock('../fixtures/chosen-systems.ts');
    vi.unstubAllEnvs();
    rmSync(stateDirectory, { recursive: true });
  };
  try {
    const { startService } = await import('#local/start-service.ts');
    const service = await startService({
      port: 0,
      dataDirectory: 'memory',
      stateDirectory,
      runsJobs: true,
    });
    return {
      service,
      async close() {
        await service.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
