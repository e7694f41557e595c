import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Service } from '#local/start-service.ts';

/** hpc_one is this machine, with a folder for each project. */
vi.mock('../fixtures/chosen-systems.ts', async () => {
  const { catalog } = await import('../fixtures/catalog.ts');
  const connector = { kind: 'machine', cores: 4 };
  const systems = catalog.systems.map((system) => ({
    ...system,
    connector,
    keep: { maxKilobytes: 50 },
  }));
  return { chosenSystems: () => systems };
});

const stateDirectory = mkdtempSync(join(tmpdir(), 'slipway-'));
let service: Service;
let member: string;
let administrator: string;
beforeAll(async () => {
  const { startService } = await import('#local/start-service.ts');
  service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory,
    runsJobs: true,
  });
  const { issuer } = service;
  member = issuer.issueToken({ user: '306328' });
  administrator = issuer.issueToken({ user: '100001', administrator: true });
});
afterAll(async () => {
  await service.close();
  rmSync(stateDirectory, { recursive: true });
});

const project = 'hpc_one/proj_hpc_one_01/';

async function ask(path: string, token = member, method = 'GET', headers = {}) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function run(command: string): Promise<void> {
  const payload = { command, node_number: 1, core_number: 1, runtime: 0.1 };
  const { body } = await ask(`/jobs/${project}`, member, 'POST', {
    'content-disposition': 'attachment; filename=a.zip',
    payload: JSON.stringify(payload),
  });
  const stage = async () => (await ask(`/jobs/${project}${body.job_id}/`)).body.stage;
  await expect.poll(stage, { timeout: 60_000, interval: 250 }).toBe('SUCCESSFUL');
}

it('holds what jobs left, loses a file at a time to members, and everything to an administrator', async () => {
  await run('cd "$SLIPWAY_PROJECT_DIR" && echo one >one.txt && echo two >two.txt');
  const { body: files } = await ask(`/folders/${project}files/`);
  expect(files).toMatchObject([{ filename: 'one.txt' }, { filename: 'two.txt', length: 4 }]);

  const removed = await ask(`/folders/${project}files/${files[0].fileid}/`, member, 'DELETE');
  expect(removed).toMatchObject({ status: 200, body: { files: 1, length: 4 } });
  const again = await ask(`/folders/${project}files/${files[0].fileid}/`, member, 'DELETE');
  expect(again.status).toBe(404);

  const folder = `/folders/${project}`;
  const confirmed = `${folder}?confirm=proj_hpc_one_01`;
  expect(await ask(confirmed, member, 'DELETE')).toMatchObject({ status: 403 });
  expect(await ask(folder, administrator, 'DELETE')).toMatchObject({ status: 409 });
  expect(await ask(confirmed, administrator, 'DELETE')).toMatchObject({
    status: 200,
    body: { files: 0, length: 0 },
  });
  expect((await ask('/admin/audit/', administrator)).body).toMatchObject([
    { kind: 'folder-emptied', by: '100001' },
  ]);
});
