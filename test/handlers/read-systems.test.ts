import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/status/read-systems.ts';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { spendingKey } from '#lib/table/keys.ts';
import { asAdministrator, ask, asUser } from '../fixtures/call.ts';
import { catalog as testCatalog } from '../fixtures/catalog.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { pricedSystem } from '../fixtures/priced-systems.ts';
import { answer } from '../fixtures/responses.ts';
import { sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = useTable();
holdClock('2026-02-15T08:31:00Z');

const get = (query = '', headers = asAdministrator()) =>
  ask(handler, { path: '/admin/systems/', headers, query });

const breaker = { PK: 'SYSTEM#hpc_one', SK: 'BREAKER', type: 'system-breaker', hpc: 'hpc_one' };

describe('GET /admin/systems/', () => {
  it('tells since when a system fails, what its breaker does, and what it said last', async () => {
    const failing = {
      ...breaker,
      failures: 5,
      pause_seconds: 30,
      open_until: '2026-02-15T08:31:30.000Z',
      failing_since: '2026-02-15T08:29:00.500Z',
      error_at: '2026-02-15T08:30:30.000Z',
      error_reason: 'The HPC system did not answer.',
    };
    const health = { PK: 'SYSTEM#hpc_two', SK: 'HEALTH', type: 'system-health', hpc: 'hpc_two' };
    await table.hold(failing, {
      ...health,
      healthy: true,
      checked_at: '2026-02-15T08:30:59.000Z',
    });
    expect(await get()).toEqual(
      answer(200, [
        {
          name: 'hpc_one',
          project_hpc: 'HPC_ONE',
          status: 'down',
          last_contact: null,
          failing_since: '2026-02-15T08:29:00Z',
          breaker: { state: 'open', failures: 5, open_until: '2026-02-15T08:31:30Z' },
          last_error: { at: '2026-02-15T08:30:30Z', reason: 'The HPC system did not answer.' },
        },
        {
          name: 'hpc_two',
          project_hpc: 'HPC_TWO',
          status: 'up',
          last_contact: '2026-02-15T08:30:59Z',
          failing_since: null,
          breaker: { state: 'closed', failures: 0, open_until: null },
          last_error: null,
        },
      ]),
    );
  });

  it('tells what the month costs where jobs have a price, and only there', async () => {
    const chosen = vi.spyOn(catalog, 'systems', 'get');
    chosen.mockReturnValue([pricedSystem('hpc_one'), findSystem(testCatalog, 'hpc_two')]);
    await table.hold({ ...spendingKey(), held: 2_400_000, used_2026_02: 10_000_000 });
    const { body } = await get();
    chosen.mockRestore();
    const opens_at = '2026-03-01T00:00:00Z';
    const spending = { estimate: 12.4, used: 10, held: 2.4, budget: null, opens_at };
    expect(body).toEqual([
      expect.objectContaining({ spending }),
      expect.not.objectContaining({ spending: expect.anything() }),
    ]);
  });

  it('tells how each system was on the last days, if it is asked to', async () => {
    const days = { day: '2026-02-14', up: 1400, slow: 30, down: 10 };
    await table.hold({ PK: 'SYSTEM#hpc_one', SK: 'DAY#2026-02-14', ...days });
    const { body } = await get('history=2');
    const unchecked = (day: string) => ({ day, up: 0, slow: 0, down: 0 });
    expect(body).toMatchObject([
      { name: 'hpc_one', history: [days, unchecked('2026-02-15')] },
      { name: 'hpc_two', history: [unchecked('2026-02-14'), unchecked('2026-02-15')] },
    ]);
  });

  it.each(['0', '31', 'all'])('refuses a history of %s days', async (days) => {
    expect((await get(`history=${days}`)).statusCode).toBe(400);
  });

  it('reads no days that nobody asked for, nor for others: on a mocked table', async () => {
    // It was stored before errors were kept.
    const older = { ...breaker, failures: 2, pause_seconds: 0 };
    table.mock.on(BatchGetCommand).resolves({ Responses: { [tableName]: [older] } });
    expect((await get('', asUser())).statusCode).toBe(403);
    const { body } = await get();
    expect(body).toMatchObject([
      { breaker: { state: 'closed', failures: 2 }, failing_since: null, last_error: null },
      { status: 'unknown' },
    ]);
    expect(JSON.stringify(body)).not.toContain('history');
    expect(sentCommands(table.mock).map(([name]) => name)).toEqual(['BatchGetCommand']);
  });
});
