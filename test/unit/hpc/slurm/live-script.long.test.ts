import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readEntry } from '#lib/files/results/unpack-entries.ts';
import { buildScript, type ScriptJob, type ScriptTerms } from '#lib/hpc/script/build-script.ts';
import { limitOf } from '#lib/hpc/script/script-terms.ts';
import { openStoredZip, readEntries } from '#lib/zips/stored-zip.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';

interface Sent {
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** Plays the service and its storage for one job, on loopback. */
async function startService(input?: Uint8Array) {
  const service = {
    isFollowed: false,
    isDown: false,
    output: [] as Sent[],
    questions: 0,
    results: undefined as Buffer | undefined,
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://service');
    if (service.isDown) return response.writeHead(503).end();
    switch (pathname) {
      case '/input':
        return response.writeHead(200).end(input);
      case '/output':
        if (query.has('stdout')) service.output.push({ query, body });
        else service.questions += 1;
        return response.end(JSON.stringify({ followed: service.isFollowed }));
      case '/results':
        return response.writeHead(307, { location: '/storage' }).end();
      default:
        service.results = body;
        return response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { service, url };
}

/** Runs the script as Slurm would. A second of its pauses takes a hundredth, unless a test needs more. */
async function runScript(
  order: Partial<ScriptJob> & { command: string },
  {
    input,
    isWarned = true,
    secondMs = 10,
    ...terms
  }: Partial<ScriptTerms> & {
    input?: Uint8Array;
    isWarned?: boolean;
    secondMs?: number;
  } = {},
) {
  const { service, url } = await startService(input);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-live-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sleep = `#!/bin/bash\nms=$(($1 * ${secondMs}))\nexec /bin/sleep "$(printf "%d.%03d" $((ms / 1000)) $((ms % 1000)))"\n`;
  writeFileSync(join(folder, 'sleep'), sleep, { mode: 0o755 });
  const directory = join(folder, 'JOB-1');
  const job = {
    ...(input && { inputAddress: `${url}/input?pass=a` }),
    outputAddress: `${url}/output?pass=a`,
    resultsAddress: `${url}/results?pass=a`,
    ...order,
    directory,
  };
  const script = buildScript(job, { ...limitOf(10), ...terms });
  writeFileSync(join(folder, 'script'), script);
  const child = spawn('/bin/bash', [join(folder, 'script')], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, ...(isWarned && { SLIPWAY_WARNS: 'yes' }) },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = end(child);
  return {
    service,
    child,
    ended,
    left: () => readdirSync(folder).filter((name) => name.startsWith('JOB-1')),
  };
}

async function end(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit');
  return code;
}

async function unpack(zip: Buffer | undefined): Promise<Map<string, string>> {
  const { results } = createMemoryFiles();
  await results.put('zip', zip ?? new Uint8Array());
  const opened = await openStoredZip(results, 'zip', zip?.length ?? 0);
  const texts = new Map<string, string>();
  for (const entry of await readEntries(opened)) {
    texts.set(entry.fileName, Buffer.from(await readEntry(opened, entry)).toString());
  }
  return texts;
}

/** Only what hangs takes as long as this. */
const patience = 120_000;

const forever = 'while :; do /bin/sleep 0.05; done';

describe('a job that is followed', () => {
  it('sends what it has written while it runs, and again when there is more', async () => {
    const command = `echo one; echo wrong >&2; touch ../../JOB-1.written; until [ -e more ]; do /bin/sleep 0.02; done; echo two; ${forever}`;
    const { service, child, ended, left } = await runScript({ command });
    await vi.waitUntil(() => left().includes('JOB-1.written'), patience);
    service.isFollowed = true;
    const first = await vi.waitUntil(() => service.output[0], patience);
    expect(first.query.get('stdout')).toBe('0,4');
    expect(first.query.get('stderr')).toBe('0,6');
    expect(first.body.toString()).toBe('one\nwrong\n');
    const asked = service.questions;
    await vi.waitUntil(() => service.questions > asked + 2, patience);
    // Nothing new, so nothing was sent.
    expect(service.output).toHaveLength(1);
    child.kill('SIGTERM');
    await ended;
  });

  it('sends no more than the end of its streams, and says where that begins', async () => {
    const command = `head -c 100000 /dev/zero | tr '\\0' a; echo end; ${forever}`;
    const { service, child, ended } = await runScript({ command });
    service.isFollowed = true;
    const { query, body } = await vi.waitUntil(
      () => service.output.find(({ body }) => body.toString().endsWith('end\n')),
      patience,
    );
    expect(query.get('stdout')).toBe('34468,65536');
    expect(body).toHaveLength(65_536);
    child.kill('SIGTERM');
    await ended;
  });

  it('sends nothing while nobody follows it, and asks ever more rarely', async () => {
    const { service, child, ended } = await runScript({ command: `echo one; ${forever}` });
    await vi.waitUntil(() => service.questions > 2, patience);
    expect(service.output).toEqual([]);
    child.kill('SIGTERM');
    await ended;
  });

  it('runs on while the service is away', async () => {
    const { service, child, ended } = await runScript({ command: `echo one; ${forever}` });
    service.isDown = true;
    service.isFollowed = true;
    await vi.waitUntil(() => child.exitCode === null, 1_000);
    service.isDown = false;
    await vi.waitUntil(() => service.output[0], patience);
    child.kill('SIGTERM');
    await ended;
  });
});

describe('a job that is ended', () => {
  it('before its time limit is told to end, and sends what there is', async () => {
    const command = `trap 'echo warned; exit 1' TERM; echo first; touch ../../ready; ${forever}`;
    // Ten whole seconds to end in: a busy machine may take a tenth of one to run the trap.
    const terms = { limitSeconds: 22, reserveSeconds: 20, secondMs: 1000 };
    const { service, child, ended, left } = await runScript({ command }, terms);
    const ready = join(String(child.spawnargs[1]), '..', 'ready');
    await vi.waitUntil(() => existsSync(ready), patience);
    child.kill('SIGUSR1');
    expect(await ended).toBe(245);
    expect((await unpack(service.results)).get('stdout')).toBe('first\nwarned\n');
    expect(left()).toEqual([]);
  });

  it('before its time limit goes by its own clock where Slurm does not warn it', async () => {
    const command = `echo first; ${forever}`;
    const terms = { ...limitOf(1), isWarned: false };
    const { service, ended } = await runScript({ command }, terms);
    expect(await ended).toBe(245);
    expect((await unpack(service.results)).get('stdout')).toBe('first\n');
  });

  it('before its time limit is killed where it does not end', async () => {
    const command = `echo first; trap '' TERM; ${forever}`;
    const { service, child, ended, left } = await runScript({ command }, limitOf(1));
    await vi.waitUntil(() => left().includes('JOB-1'), patience);
    child.kill('SIGUSR1');
    expect(await ended).toBe(245);
    expect((await unpack(service.results)).get('stdout')).toBe('first\n');
  });

  it('ends as its command does where that is faster than the warning', async () => {
    const command = 'until [ -e ../../done ]; do /bin/sleep 0.02; done; exit 3';
    const { child, ended, left, service } = await runScript({ command }, limitOf(1000));
    await vi.waitUntil(() => left().includes('JOB-1'), patience);
    child.kill('SIGUSR1');
    await vi.waitUntil(() => service.questions > 0, patience);
    writeFileSync(join(String(child.spawnargs[1]), '..', 'done'), '');
    expect(await ended).toBe(3);
  });

  it('by a cancel sends the end of its output first, and then its results, once', async () => {
    const { service, child, ended, left } = await runScript({ command: `echo one; ${forever}` });
    await vi.waitUntil(() => service.questions > 0, patience);
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    const [last] = service.output;
    expect(last?.query.get('last')).toBe('true');
    expect(last?.body.toString()).toBe('one\n');
    expect((await unpack(service.results)).get('stdout')).toBe('one\n');
    expect(left()).toEqual([]);
  });

  // Whether bash loses the exit code is a matter of microseconds, so there are many tries.
  it('by a cancel that reaches its command first ends as the command did, with its results', async () => {
    for (let count = 0; count < 12; count += 1) {
      const command = `echo one; echo $$ >../../pid; mv ../../pid ../../JOB-1.pid; ${forever}`;
      const { service, child, ended, left } = await runScript({ command });
      const pidFile = join(String(child.spawnargs[1]), '..', 'JOB-1.pid');
      await vi.waitUntil(() => service.questions > 0 && left().includes('JOB-1.pid'), patience);
      process.kill(-Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
      child.kill('SIGTERM');
      expect(await ended).toBe(143);
      expect((await unpack(service.results)).get('stdout')).toBe('one\n');
    }
  });

  it('by a cancel does not wait for a service that is away', async () => {
    const { service, child, ended, left } = await runScript({ command: `echo one; ${forever}` });
    await vi.waitUntil(() => service.questions > 0, patience);
    service.isDown = true;
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(left()).toEqual(['JOB-1']);
  });
});

describe('what a job leaves', () => {
  const input = () =>
    buildZip([
      { name: 'same.txt', content: 'as it was' },
      { name: 'in/changed.txt', content: 'old' },
      { name: 'in/copied.txt', content: 'abc' },
      { name: "in/it's [a] $name\n.txt", content: 'odd' },
      { name: 'in/gone.txt', content: 'gone' },
    ]);

  it('are its results without the input that is as it was', async () => {
    const command = `printf new >in/changed.txt; rm in/gone.txt; cp -p same.txt copy.txt; echo out >new.txt`;
    const { service, ended, left } = await runScript({ command }, { input: input() });
    expect(await ended).toBe(0);
    const files = [...(await unpack(service.results)).keys()].filter((name) => !name.endsWith('/'));
    expect(files.sort()).toEqual(['copy.txt', 'in/changed.txt', 'new.txt', 'stderr', 'stdout']);
    expect(left()).toEqual([]);
  });

  it('is its directory where the catalog keeps it', async () => {
    const { ended, left } = await runScript({ command: 'true' }, { keepsDirectory: true });
    expect(await ended).toBe(0);
    expect(left()).toEqual(['JOB-1']);
  });
});
