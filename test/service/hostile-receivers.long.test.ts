import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { end, openHome } from '../fixtures/edition.ts';
import { type Behaviour, startHostilePeer } from '../fixtures/hostile-peer.ts';
import { startReceiver } from '../fixtures/receiver.ts';
import { get, submitTo } from '../fixtures/service.ts';

/** What one push may take (docs/webhooks.md). */
const pushMs = 10_000;

const patience = { timeout: 120_000, interval: 20 };

async function register(service: string, token: string, url: string): Promise<string> {
  const response = await fetch(`${service}/webhooks/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['job.submitted'] }),
  });
  const body = await response.text();
  expect(response.status, body).toBe(201);
  return JSON.parse(body).webhook_id;
}

/** Gives a try half an hour, so that it is still open on a slow machine, too. */
function keepTriesOpen(): void {
  const { timeout } = AbortSignal;
  const stretch = (ms: number) => timeout.call(AbortSignal, ms === pushMs ? 180 * ms : ms);
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(stretch);
  onTestFinished(() => spy.mockRestore());
}

async function startPeer(behaviour: Behaviour) {
  const peer = await startHostilePeer(behaviour);
  onTestFinished(() => peer.close());
  return peer;
}

describe('beside receivers that are silent or switch protocols', () => {
  it('other users are told of their events while such a try is still open', async () => {
    vi.stubEnv('WEBHOOKS_TO_LOOPBACK', 'true');
    onTestFinished(() => void vi.unstubAllEnvs());
    keepTriesOpen();
    const { path: stateDirectory } = openHome();
    const { startService } = await import('#local/start-service.ts');
    const options = { port: 0, dataDirectory: 'memory', stateDirectory, runsJobs: true };
    const { url, issuer, close } = await startService(options);
    onTestFinished(close);

    const [silent, switching] = [await startPeer('silent'), await startPeer('switched protocols')];
    const good = await startReceiver();
    const addresses = { '1': silent.url, '2': switching.url, '3': good.url };
    for (const [user, address] of Object.entries(addresses)) {
      await register(url, issuer.issueToken({ user }), address);
    }
    const submit = (user: string) => submitTo(url, issuer.issueToken({ user }));
    // Two each: the second one would wait behind the first, and others behind both.
    for (const user of ['1', '1', '2', '2']) expect((await submit(user)).status).toBe(201);
    await vi.waitUntil(() => silent.open > 0 && switching.calls > 0, patience);

    for (const count of [1, 2, 3]) {
      expect((await submit('3')).status).toBe(201);
      await vi.waitUntil(() => good.received.length === count, patience);
      // No try has ended. There are two where the second event came after the first was taken up.
      expect(silent.open).toBe(silent.calls);
    }
  });

  it('SIGTERM ends the service while such a try is open, and what was broken off still waits', async () => {
    const home = openHome();
    const environment = { WEBHOOKS_TO_LOOPBACK: 'true' };
    const { child, url, token } = await home.start(environment);
    const [silent, switching] = [await startPeer('silent'), await startPeer('switched protocols')];
    const ids = [await register(url, token, silent.url), await register(url, token, switching.url)];
    expect((await submitTo(url, token)).status).toBe(201);
    await vi.waitUntil(() => silent.open === 1, patience);
    const openedAt = performance.now();
    await vi.waitUntil(() => switching.calls > 0, patience);
    expect(await end(child, 'SIGTERM')).toBe(0);
    // Well before the try itself would have ended.
    expect(performance.now() - openedAt).toBeLessThan(0.8 * pushMs);

    const { url: later } = await home.start(environment);
    for (const id of ids) {
      const { body } = await get(`${later}/webhooks/${id}/deliveries/`, token);
      expect(body).toMatchObject([{ type: 'job.submitted', state: 'waiting' }]);
    }
  });
});
