import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { end, openHome } from '../fixtures/edition.ts';
import { zipOf } from '../fixtures/zip.ts';

const jobs = 1000;

/** As a client does that is told when to come back. */
async function submit(url: string, token: string, key: number, seen: Map<number, number>) {
  for (;;) {
    const answer = await fetch(`${url}/jobs/hpc_one/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': `burst-${key}`,
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename=job_file.zip',
        payload: JSON.stringify({
          command: 'ls',
          node_number: '1',
          core_number: '1',
          runtime: '0.01',
          title: 'burst',
        }),
      },
      body: new Uint8Array(zipOf(1000)),
    });
    const body: { type?: string } = JSON.parse(await answer.text());
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    if (answer.status === 201) return;
    expect({ status: answer.status, type: body.type }).toEqual({
      status: 503,
      type: 'urn:slipway:problem:busy',
    });
    await delay(Number(answer.headers.get('retry-after')) * 1000);
  }
}

it(`answers each of ${jobs} submissions at once, or refuses it early, and makes ${jobs} jobs`, async () => {
  const { child, url, token } = await openHome().start();
  const seen = new Map<number, number>();
  await Promise.all(Array.from({ length: jobs }, (_, key) => submit(url, token, key, seen)));
  process.stdout.write(`answers: ${JSON.stringify(Object.fromEntries(seen))}\n`);
  expect(seen.get(201)).toBe(jobs);
  const list = await fetch(`${url}/jobs/?limit=1000`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(JSON.parse(await list.text())).toHaveLength(jobs);
  await end(child, 'SIGTERM');
}, 900_000);
