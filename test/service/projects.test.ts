import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedded } from '../engines/engines.ts';
import { get, type ServiceOnEngine, startServiceOn } from '../fixtures/service.ts';

let running: ServiceOnEngine;
let token: string;
let adminToken: string;
beforeAll(async () => {
  running = await startServiceOn(embedded);
  token = running.service.issuer.issueToken({ user: '306328' });
  adminToken = running.service.issuer.issueToken({ user: '100001', administrator: true });
});
afterAll(() => running.close());

async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${running.service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function submit(project = 'spring_2027', as = token) {
  const payload = { command: 'ls', node_number: 1, core_number: 1, runtime: 0.5 };
  const response = await fetch(`${running.service.url}/jobs/hpc_one/${project}/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      'content-disposition': 'attachment; filename=a.zip',
      payload: JSON.stringify(payload),
    },
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const read = (path: string, as = token) => get<unknown>(`${running.service.url}${path}`, as);

describe('a project on a laptop', () => {
  it('is opened, used at once, closed, and opened again', async () => {
    const path = '/admin/projects/hpc_one/spring_2027/';
    const below = 'hpc_one/spring_2027/';
    const unknown = await read(`/jobs/${below}`);
    expect(unknown.status).toBe(404);

    const opened = await send('PUT', path, { reason: 'a course', description: 'Neurons' });
    expect(opened).toMatchObject({ status: 201, body: { id: 1_000_000, closed: false } });
    expect((await read(`/jobs/${below}`)).body).toEqual([]);
    expect((await submit()).body).toMatchObject({ type: 'urn:slipway:problem:no-quota' });
    const grant = { reason: 'a course', set: { time: 7200, space: 10 } };
    expect((await send('PUT', `/admin/quotas/306328/${below}`, grant)).status).toBe(201);

    const { status, body: job } = await submit();
    expect({ status, project: job.project }).toEqual({ status: 201, project: 1_000_000 });
    expect((await read(`/jobs/${below}${job.job_id}/`)).body).toEqual(job);
    expect((await read('/jobs/')).body).toEqual([job]);
    expect((await read('/admin/jobs/', adminToken)).body).toEqual([job]);
    expect((await read(`/quotas/${below}ledger/`)).body).toMatchObject([
      { kind: 'hold', time: -1800 },
      { kind: 'grant', time: 7200 },
    ]);

    expect(await send('DELETE', `${path}?reason=it+is+over`)).toMatchObject({
      status: 200,
      body: { closed: true },
    });
    expect(await submit()).toMatchObject({
      status: 403,
      body: { type: 'urn:slipway:problem:project-closed' },
    });
    expect((await read(`/jobs/${below}`)).body).toEqual([job]);
    expect((await read('/projects/hpc_one/')).body).toMatchObject([
      { id: 1 },
      { id: 1_000_000, description: 'Neurons', closed: true },
    ]);
    const reopened = await send('PUT', path, { reason: 'another course' });
    expect(reopened).toMatchObject({ status: 200, body: { id: 1_000_000, closed: false } });
    expect((await submit()).status).toBe(201);
    const acts = await read('/admin/audit/', adminToken);
    expect(acts.body).toMatchObject([
      { kind: 'project-opened', user: null, project_name: 'spring_2027' },
      { kind: 'project-closed' },
      { kind: 'quota-granted' },
      { kind: 'project-opened' },
    ]);
  });

  it('is used by who has its group in the token, and no longer when it is gone', async () => {
    const user = '306329';
    const signIn = (...groups: string[]) => running.service.issuer.issueToken({ user, groups });
    const [member, former] = [signIn('users', 'lab-42'), signIn('users')];
    const below = 'hpc_one/lab/';
    const budget = `/projects/${below}budget/`;
    const joined = { shared: true, members: { group: 'lab-42' } };
    const opened = await send('PUT', `/admin/projects/${below}`, { reason: 'a lab', ...joined });
    expect(opened).toMatchObject({ status: 201, body: joined });
    expect((await read(`/projects/${below}`)).body).toMatchObject(joined);

    const refusal = (type: string) => ({ status: 403, body: { type } });
    const noQuota = refusal('urn:slipway:problem:no-quota');
    const noMember = refusal('urn:slipway:problem:not-member');
    expect(await submit('lab', former)).toMatchObject(noQuota);
    expect(await submit('lab', member)).toMatchObject(refusal('urn:slipway:problem:no-budget'));
    const given = { reason: 'the year', set: { time: 3600, space: 10 } };
    expect((await send('PUT', `/admin/projects/${below}budget/`, given)).status).toBe(200);
    const { status, body: job } = await submit('lab', member);
    expect(status).toBe(201);
    expect((await read(budget, member)).body).toMatchObject({
      budget: { time: { left: 1800, held: 1800 } },
    });
    expect(await submit('lab', former)).toMatchObject(noMember);
    expect((await read(budget, former)).status).toBe(403);
    expect((await read(budget)).status).toBe(403);
    // Jobs stay their owner's.
    expect((await read(`/jobs/${below}${job.job_id}/`, former)).status).toBe(200);

    const announce = (length: number, as: string) =>
      fetch(`${running.service.url}/uploads/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
        body: JSON.stringify({ filename: 'big.zip', length }),
      }).then(({ status }) => status);
    for (const place of ['hpc_one/proj_hpc_one_01', 'hpc_two/proj_hpc_two_01']) {
      const less = { reason: 'no space', set: { space: 0 } };
      expect((await send('PUT', `/admin/quotas/${user}/${place}/`, less)).status).toBe(200);
    }
    expect(await announce(5_000_000, member)).toBe(403);
    const more = { reason: 'large files', set: { space: 6000 } };
    expect((await send('PUT', `/admin/projects/${below}budget/`, more)).status).toBe(200);
    expect(await announce(5_000_000, former)).toBe(403);
    expect(await announce(5_000_000, member)).toBe(201);

    const invite = { reason: 'a guest', add: { time: 0 } };
    expect((await send('PUT', `/admin/quotas/306328/${below}`, invite)).status).toBe(201);
    expect((await submit('lab')).status).toBe(201);
    expect(await submit('lab', member)).toMatchObject(
      refusal('urn:slipway:problem:quota-exceeded'),
    );
    expect((await read(budget)).body).toMatchObject({ budget: { time: { left: 0, held: 3600 } } });
  });
});
