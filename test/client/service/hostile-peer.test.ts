import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { createClient } from '../../../client/src/index.ts';
import { embedded } from '../../engines/engines.ts';
import { type HostileProxy, startHostileProxy } from '../../fixtures/hostile-proxy.ts';
import { type ServiceOnEngine, startServiceOn } from '../../fixtures/service.ts';

const count = 100;
const width = 5;

let on: ServiceOnEngine;
let proxy: HostileProxy;

beforeAll(async () => {
  on = await startServiceOn(embedded);
  proxy = await startHostileProxy(on.service.url);
});

afterAll(async () => {
  await proxy.close();
  await on.close();
});

describe('the client behind a peer that drops, refuses and cuts', () => {
  it(`makes ${count} jobs of ${count} submissions, and none twice`, async () => {
    const token = on.service.issuer.issueToken({ user: '306328' });
    // Its pauses are not waited for: what is tested is what is sent again.
    const settings = { baseUrl: proxy.url, token, retries: 20, pause: async () => undefined };
    const client = createClient(settings);
    const numbers = Array.from({ length: count }, (_, index) => index);
    const made = await mapInParallel(numbers, width, (number) =>
      client.submit({
        hpc: 'hpc_one',
        command: 'ls',
        nodes: 1,
        cores: 1,
        runtime: 0.1,
        title: `заявка ${number}`,
      }),
    );
    const listed = [];
    for await (const job of client.listJobs({ limit: 30 })) listed.push(job);
    expect(new Set(made.map(({ job_id: id }) => id)).size).toBe(count);
    expect(listed.map(({ title }) => title).sort()).toEqual(
      numbers.map((number) => `заявка ${number}`).sort(),
    );
    expect([...proxy.deeds.keys()].sort()).toEqual(['away', 'cut', 'drop', 'too-many']);
  });
});
