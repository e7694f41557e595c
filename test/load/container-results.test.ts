import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeBootstrap } from '#lib/hpc/aws-batch/bootstrap.ts';
import { writeContainerScript } from '#lib/hpc/aws-batch/container-script.ts';

/** Debian's own. */
const python = '/usr/bin/python3';

/** Plays the service and a storage that counts what it gets. */
async function startService(script: string) {
  const seen = { announced: 0, received: 0 };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    if (pathname.endsWith('/script/')) return response.end(script);
    if (pathname.endsWith('/results/')) {
      seen.announced = Number(searchParams.get('bytes'));
      const location = `http://${request.headers.host}/storage/?signed=a`;
      return response.writeHead(307, { location }).end();
    }
    for await (const part of request) seen.received += part.length;
    return response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The most memory that a process has had so far, in kilobytes. */
function peakOf(pid: number | undefined): number {
  try {
    const [, peak] =
      /^VmHWM:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(peak ?? 0);
  } catch {
    return 0;
  }
}

it.skipIf(!existsSync(python))(
  'sends results of a gigabyte without holding them',
  {
    timeout: 300_000,
  },
  async () => {
    const bytes = 1_000_000_000;
    const { seen, url } = await startService(
      writeContainerScript({
        command: `/usr/bin/head -c ${bytes} /dev/urandom > big`,
        results: '/handover/J/results/?pass=r',
        limitSeconds: 3600,
        reserveSeconds: 60,
      }),
    );
    const folder = mkdtempSync(join(tmpdir(), 'slipway-container-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [, ...options] = writeBootstrap({ address: `${url}/handover/J/script/?pass=s` });
    const started = Date.now();
    const env = { TMPDIR: folder, AWS_BATCH_JOB_ID: 'a' };
    const child = spawn(python, options, { cwd: '/', env, stdio: 'inherit' });
    onTestFinished(() => void child.kill('SIGKILL'));
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid));
    }, 100);
    const [code] = await once(child, 'exit');
    clearInterval(watch);
    const seconds = (Date.now() - started) / 1000;
    console.log(`${seen.received} bytes in ${seconds.toFixed(1)} s, at most ${peak} kB of memory`);
    expect(code).toBe(0);
    expect(seen.received).toBe(seen.announced);
    expect(seen.received).toBeGreaterThan(bytes);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(60_000);
  },
);
