import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const place = { project_hpc: 'HPC_ONE', project_name: 'lab_42' };
const full = {
  ...place,
  length: 60_000,
  files: 2,
  measured: '2026-11-15T06:00:00Z',
  limit: 50_000,
  full: true,
  in_reach: true,
};
const files = [
  { fileid: 'a', filename: 'models/first', length: 20_000 },
  { fileid: 'b', filename: 'models/second', length: 40_000 },
];

async function openHome(more: Readonly<Record<string, unknown>> = {}) {
  const asked: string[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    'GET /hpc/': [{ name: 'hpc_one', project_hpc: 'HPC_ONE', keep: { limit: 50_000 } }],
    'GET /quotas/': [{ ...place }],
    'GET /projects/': [{ ...place }],
    'GET /folders/hpc_one/lab_42/': full,
    'GET /folders/hpc_one/lab_42/files/': files,
    'DELETE /folders/hpc_one/lab_42/files/b/': { ...full, length: 20_000, full: false },
    'DELETE /folders/hpc_one/lab_42/?confirm=lab_42': { ...full, length: 0, files: 0 },
    ...more,
  };
  const url = await startServer((request, response) => {
    const call = `${request.method} ${request.url}`;
    asked.push(call);
    const answer = answers[call];
    if (call.endsWith('/files/a/')) return void response.end('x'.repeat(20_000));
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer ?? {}));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const run = (...words: string[]) =>
    openCommandHome().run(['folder', ...words], { environment, answer: 'n', columns: 100 });
  return { run, asked };
}

it('shows what the only folder has, and that it is over its bound', async () => {
  const { run } = await openHome();
  const { code, out, err } = await run();
  expect(code).toBe(0);
  expect(out).toMatch(/models\/first +20 KB\nmodels\/second +40 KB/);
  expect(err).toContain('hpc_one/lab_42 keeps 60 KB of 50 KB');
  expect(err).toContain('new jobs of the project are refused until somebody deletes files');
});

it('says that a folder is out of reach, and that nothing is known of one', async () => {
  const outOfReach = { ...full, full: false, in_reach: false };
  const { run } = await openHome({ 'GET /folders/hpc_one/lab_42/': outOfReach });
  expect((await run('-p', 'lab_42')).err).toContain('Only jobs reach this folder');
  const unknown = { ...outOfReach, length: null, files: null, measured: null };
  const other = await openHome({
    'GET /folders/hpc_one/lab_42/': unknown,
    'GET /folders/hpc_one/lab_42/files/': [],
  });
  const { err, out } = await other.run();
  expect(err + out).toContain('No job has told yet what is there');
});

it('saves files by their names', async () => {
  const { run } = await openHome();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code } = await run('download', 'models/first', '--to', folder);
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'models/first'), 'utf8')).toHaveLength(20_000);
  const { code: refused, err } = await run('download', 'none', '--to', folder);
  expect(refused).not.toBe(0);
  expect(err).toContain("The folder has no 'none'.");
});

it('deletes files and everything, but only when asked to', async () => {
  const { run, asked } = await openHome();
  const deleted = () => asked.filter((call) => call.startsWith('DELETE'));
  const no = await run('empty');
  expect(no.err).toContain(
    'All 2 files (60 KB) that the members keep in hpc_one/lab_42 will be deleted for good',
  );
  expect(deleted()).toEqual([]);
  await run('delete', 'models/second', '--yes');
  await run('empty', '--yes');
  expect(deleted()).toEqual([
    'DELETE /folders/hpc_one/lab_42/files/b/',
    'DELETE /folders/hpc_one/lab_42/?confirm=lab_42',
  ]);
});

it('asks which folder is meant if there are several, and says if there is none', async () => {
  const both = [{ ...place }, { ...place, project_name: 'lab_43' }];
  const { run } = await openHome({ 'GET /quotas/': both });
  expect((await run()).err).toContain('hpc_one/lab_42, hpc_one/lab_43');
  const none = await openHome({ 'GET /hpc/': [{ name: 'hpc_one', project_hpc: 'HPC_ONE' }] });
  expect((await none.run()).err).toContain('None of your projects has a folder');
});
