import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildZip } from '../fixtures/build-zip.ts';
import { end, openHome } from '../fixtures/edition.ts';
import { zipOf } from '../fixtures/zip.ts';

const wishes = { command: 'echo {a}', node_number: '1', core_number: '1', runtime: '0.01' };

it('answers large requests in a thread of its own, as all others are answered', async () => {
  const { child, url, token } = await openHome().start({ SYSTEMS: 'simulated' });
  const countThreads = () => readdirSync(`/proc/${child.pid}/task`).length;
  const ask = async (path: string, body: Uint8Array<ArrayBuffer>, payload: object) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename=study.zip',
        payload: JSON.stringify({ ...wishes, title: 'large', ...payload }),
      },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const table = (rows: number) =>
    buildZip([{ name: 't.csv', content: `a\n${'1\n'.repeat(rows)}` }]);

  const small = await ask('/jobs/hpc_one/', new Uint8Array(zipOf(1000)), {});
  expect(small.status).toBe(201);
  const before = countThreads();
  const batch = await ask('/batches/hpc_one/', table(3), { table: 't.csv' });
  expect(batch).toMatchObject({ status: 201, text: expect.stringContaining('"count":3') });
  expect(countThreads()).toBeGreaterThan(before);
  const tooMany = await ask('/batches/hpc_one/', table(2_499_000), { table: 't.csv' });
  expect(tooMany).toMatchObject({ status: 400, text: expect.stringContaining('10000') });
  const large = await ask('/jobs/hpc_one/', new Uint8Array(zipOf(4_000_000)), {});
  expect(large.status).toBe(201);
  // More than a function gets, so the gateway refuses it.
  const tooLarge = await ask('/jobs/hpc_one/', new Uint8Array(zipOf(5_000_000)), {});
  expect(tooLarge.status).toBe(413);
  const list = await fetch(`${url}/jobs/`, { headers: { authorization: `Bearer ${token}` } });
  expect(JSON.parse(await list.text()).length).toBeGreaterThanOrEqual(2);
  await end(child, 'SIGTERM');
}, 120_000);
