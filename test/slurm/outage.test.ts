import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { end, openHome, projectRoot } from '../fixtures/edition.ts';
import { findBatchJob } from './batch-jobs.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { Researcher } from './researcher.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
}, 300_000);
afterAll(() => cluster?.close(), 60_000);

/** The catalog that ships, with this cluster in the place of hpc_one. */
function writeCatalog(): string {
  const shipped = JSON.parse(readFileSync(join(projectRoot, 'lib/catalog/catalog.json'), 'utf8'));
  const [one, ...others] = shipped.systems;
  const { url: baseUrl, partition, workDirectory } = cluster;
  const connector = { kind: 'slurm', baseUrl, partition, workDirectory, pollFloorSeconds: 1 };
  return JSON.stringify({ systems: [{ ...one, connector }, ...others] });
}

it('a job that ends while the service is away is charged for its command alone', async () => {
  const home = openHome();
  await writeFile(join(home.path, 'centre.json'), writeCatalog());
  await mkdir(join(home.path, '.slipway'));
  const credentials = { hpc_one: { user: cluster.user, token: cluster.token } };
  const file = join(home.path, '.slipway/credentials.json');
  await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
  const first = await home.start({ CATALOG: './centre.json' });
  const before = new Researcher({ ...first, user: '306328' });
  const { path, body } = await before.submit('sleep 20');
  await before.waitForStage(path, 'RUNNING');
  await end(first.child, 'SIGKILL');
  await pause(60_000);
  const { port } = new URL(first.url);
  const second = await home.start({ CATALOG: './centre.json', PORT: port });
  const ada = new Researcher({ ...second, user: '306328' });
  expect(await ada.waitForEnd(path, 240)).toMatchObject({ stage: 'SUCCESSFUL' });
  const { ranSeconds } = await findBatchJob(cluster, body.job_id);
  const ledger = await ada.read<readonly { readonly kind: string; readonly reason: string }[]>(
    `/quotas/hpc_one/${body.project_name}/ledger/`,
  );
  const settled = ledger.find(({ kind }) => kind === 'settle');
  process.stdout.write(`Slurm counted ${ranSeconds} s; ${settled?.reason}\n`);
  const [, used = ''] = /: (\d+) of /.exec(settled?.reason ?? '') ?? [];
  expect(ranSeconds).toBeGreaterThan(50);
  // The last sign of life may have been given ten seconds before the end.
  expect(Number(used)).toBeGreaterThanOrEqual(20);
  expect(Number(used)).toBeLessThan(35);
}, 600_000);
