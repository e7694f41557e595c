import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEveryEngine } from '../engines/use-table.ts';
import { get, type ServiceOnEngine, startServiceOn } from '../fixtures/service.ts';
import { zipOf } from '../fixtures/zip.ts';

interface Usage {
  readonly time: { readonly held: number; readonly left: number };
  readonly space: { readonly held: number; readonly left: number };
  readonly living_jobs: number;
}

interface QuotaBody {
  readonly usage: Usage;
}

onEveryEngine('an estimate on $name', (engine) => {
  let running: ServiceOnEngine;
  beforeAll(async () => {
    running = await startServiceOn(engine);
  });
  afterAll(() => running.close());

  function as(user: string) {
    const { service } = running;
    const token = service.issuer.issueToken({ user });
    const admin = service.issuer.issueToken({ user: '100001', administrator: true });
    return {
      async post(nodes: number, hours: number, query = '') {
        const payload = { command: 'ls', node_number: nodes, core_number: 1, runtime: hours };
        const response = await fetch(`${service.url}/jobs/hpc_one/${query}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-disposition': 'attachment; filename=job_file.zip',
            'content-type': 'application/zip',
            payload: JSON.stringify(payload),
          },
          body: Uint8Array.from(zipOf(5000)),
        });
        const { instance: _, ...body } = JSON.parse(await response.text());
        return { status: response.status, body };
      },
      async usage() {
        const path = '/quotas/hpc_one/proj_hpc_one_01/?expand=usage';
        return (await get<QuotaBody>(`${service.url}${path}`, token)).body.usage;
      },
      seenByAdministrators: async () =>
        (await get<unknown[]>(`${service.url}/admin/quotas/${user}/`, admin)).body,
    };
  }

  it('says what the submission then does, to the last second', async () => {
    const user = as('1');
    const steps = [
      { nodes: 100, hours: 24, left: 9_360_000 },
      { nodes: 100, hours: 30, left: 720_000 },
      // Less than a second is a second of each node.
      { nodes: 400, hours: 0.000001, left: 719_600 },
      { nodes: 257, hours: 2800 / 3600, left: 0 },
    ];
    for (const [index, { nodes, hours, left }] of steps.entries()) {
      const { status, body } = await user.post(nodes, hours, '?dry_run=true');
      expect(status).toBe(200);
      expect(body).toMatchObject({ accepted: true, left: { time: left } });
      const before = index === 0 ? undefined : await user.usage();
      const submitted = await user.post(nodes, hours);
      expect(submitted.status).toBe(201);
      expect(body.runtime).toBe(submitted.body.runtime);
      const after = await user.usage();
      expect(body.left).toEqual({ time: after.time.left, space: after.space.left });
      expect(body.living_jobs).toBe(after.living_jobs);
      expect(body.held).toEqual({
        time: after.time.held - (before?.time.held ?? 0),
        space: after.space.held - (before?.space.held ?? 0),
      });
    }
  });

  it('refuses as the submission does, one second beyond the rest', async () => {
    const user = as('2');
    for (const hours of [24, 24]) expect((await user.post(100, hours)).status).toBe(201);
    const estimated = await user.post(201, 1, '?dry_run=true');
    expect(estimated.status).toBe(403);
    expect(await user.post(201, 1)).toEqual(estimated);
    expect((await user.post(200, 1, '?dry_run=true')).status).toBe(200);
  });

  it('leaves no trace of somebody who was never seen', async () => {
    const user = as('3');
    const { status, body } = await user.post(1, 1, '?dry_run=true');
    expect(status).toBe(200);
    expect(body).toEqual({
      accepted: true,
      runtime: 1,
      held: { time: 3600, space: 5 },
      left: { time: 18_000_000 - 3600, space: 10_000_000 - 5 },
      living_jobs: 1,
      max_living_jobs: 1000,
    });
    expect(await user.seenByAdministrators()).toEqual([]);
  });
});
