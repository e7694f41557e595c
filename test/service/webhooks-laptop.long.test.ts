import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signPush } from '#lib/webhooks/sign-push.ts';
import { type Service, startService } from '#local/start-service.ts';
import { answerWith, startReceiver } from '../fixtures/receiver.ts';
import { get, submit } from '../fixtures/service.ts';

let directory: string;
let service: Service;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
  vi.stubEnv('WEBHOOKS_TO_LOOPBACK', 'true');
  vi.stubEnv('SIM_HOUR_SECONDS', '0.5');
  service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory: directory,
    runsJobs: true,
  });
});
afterEach(async () => {
  await service.close();
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

async function register(token: string, url: string) {
  const response = await fetch(`${service.url}/webhooks/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['job.submitted', 'job.ended'] }),
  });
  expect(response.status).toBe(201);
  const webhook: { webhook_id: string; secret: string } = JSON.parse(await response.text());
  return webhook;
}

interface LogLine {
  readonly type: string;
  readonly state: string;
  readonly tries: readonly { readonly status: number | null }[];
}

it('pushes the life of a job, signed, to a receiver that fails once', async () => {
  const token = service.issuer.issueToken({ user: '306328' });
  const receiver = await startReceiver(answerWith(500, 200));
  const { webhook_id: id, secret } = await register(token, receiver.url);
  const { status, body: job } = await submit(service, token);
  expect(status).toBe(201);

  const readLog = async () =>
    (await get<LogLine[]>(`${service.url}/webhooks/${id}/deliveries/`, token)).body;
  await vi.waitUntil(
    async () => (await readLog()).filter(({ state }) => state === 'delivered').length === 2,
    { timeout: 120_000, interval: 100 },
  );
  expect((await readLog()).map(({ type, tries }) => [type, tries.length]).sort()).toEqual([
    ['job.ended', 1],
    ['job.submitted', 2],
  ]);
  expect(receiver.received).toHaveLength(3);
  for (const { headers, body } of receiver.received) {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const { id: eventId, data } = JSON.parse(body);
    expect(headers).toMatchObject(signPush(secret, { id: eventId, at, body }));
    expect(data).toMatchObject({ job_id: job.job_id, owner: '306328' });
  }
});
