import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { makeCallContext } from '#local/stream/call-listeners.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { embedded } from '../engines/engines.ts';
import { get, type ServiceOnEngine, startServiceOn } from '../fixtures/service.ts';

const user = '306328';
let running: ServiceOnEngine;
let token: string;
let adminToken: string;
/** On hpc_two jobs run as their owners. */
const systems = catalog.systems.map(
  (system): HpcSystem => (system.name === 'hpc_two' ? { ...system, runsAs: 'mapped' } : system),
);

beforeAll(async () => {
  vi.doMock('../fixtures/chosen-systems.ts', () => ({ chosenSystems: () => systems }));
  running = await startServiceOn(embedded);
  token = running.service.issuer.issueToken({ user });
  adminToken = running.service.issuer.issueToken({ user: '100001', administrator: true });
});
afterAll(async () => {
  vi.doUnmock('../fixtures/chosen-systems.ts');
  await running.close();
});

const read = (path: string) => get<unknown>(`${running.service.url}${path}`, adminToken);

async function post(path: string, as: string, type: string, body: object) {
  const response = await fetch(`${running.service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': type },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

// A path that the gateway knows without its last slash goes to `$default` with it.
describe('an administrator', () => {
  it('finds what a user has asked for', async () => {
    const wish = {
      hpc: 'hpc_one',
      project_name: 'proj_hpc_one_01',
      time: 3600,
      reason: 'A longer run.',
    };
    const { body } = await post('/requests/', token, 'application/json', wish);
    expect(await read('/admin/requests')).toMatchObject({ status: 200, body: [body] });
    expect(await read(`/admin/requests/${body.request_id}/`)).toMatchObject({ status: 200, body });
  });

  it('sees the systems, and says as whom users run on one', async () => {
    const { status, body: systems } = await read('/admin/systems');
    expect({ status, systems }).toMatchObject({
      status: 200,
      systems: [{ name: 'hpc_one' }, { name: 'hpc_two' }],
    });
    const row = { user_id: user, hpc: 'hpc_two', account: 'ada' };
    const path = '/admin/accounts?reason=A%20course.';
    expect(await post(path, adminToken, 'application/x-ndjson', row)).toMatchObject({
      status: 200,
      body: [{ line: 1, outcome: 'created', account: 'ada' }],
    });
  });
});

describe('what the clock has measured and checked on AWS alone', () => {
  const context = makeCallContext(() => false);

  it.each(['measure-queue', 'reconcile-accounts'] as const)('%s comes to its end', async (name) => {
    const { loadSchedule } = await import('#local/load-handlers.ts');
    await (await loadSchedule(name)).call(context);
  });

  it('has gone through all accounts', async () => {
    const Key = { PK: 'SYSTEM#RECONCILIATION', SK: 'PROGRESS' };
    const { client, name: TableName } = running.table;
    const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    expect(Item).toBeDefined();
  });
});
