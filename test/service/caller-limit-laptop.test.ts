import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { Service } from '#local/start-service.ts';

let service: Service | undefined;
let stateDirectory: string;
afterEach(async () => {
  await service?.close();
  rmSync(stateDirectory, { recursive: true });
  vi.unstubAllEnvs();
});

/** What many calls of one user in a row are answered, on a laptop that was started with this rate. */
async function countStatuses(rate: string | undefined, burst: string | undefined, calls: number) {
  vi.stubEnv('CALLER_RATE', rate);
  vi.stubEnv('CALLER_BURST', burst);
  vi.resetModules();
  const { startService } = await import('#local/start-service.ts');
  stateDirectory = mkdtempSync(join(tmpdir(), 'slipway-'));
  service = await startService({ port: 0, dataDirectory: 'memory', stateDirectory });
  const headers = { authorization: `Bearer ${service.issuer.issueToken({ user: '306328' })}` };
  const statuses = new Map<number, number>();
  for (let call = 0; call < calls; call += 1) {
    const answer = await fetch(`${service.url}/hpc/`, { headers });
    await answer.arrayBuffer();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }
  return Object.fromEntries(statuses);
}

it('does not limit callers on a laptop', async () => {
  expect(await countStatuses(undefined, undefined, 600)).toEqual({ 200: 600 });
});

it('limits them where CALLER_RATE is set', async () => {
  expect(await countStatuses('1', '5', 20)).toMatchObject({ 429: expect.any(Number) });
});
