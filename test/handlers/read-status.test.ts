import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler } from '#functions/status/read-status.ts';
import { TableBusyError, TableUnavailableError } from '#lib/table/errors.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { ask } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, pathNotFound, problem } from '../fixtures/responses.ts';
import { sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = useTable();
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const health = (hpc: string, healthy: boolean, checkedAt: string) => ({
  PK: `SYSTEM#${hpc}`,
  SK: 'HEALTH',
  hpc,
  healthy,
  checked_at: checkedAt,
});

const get = (path = '/status/', headers = {}) => ask(handler, { path, headers });

describe('GET /status/', () => {
  it.each([
    { who: 'nobody in particular', headers: {} },
    { who: 'a caller with a bad token', headers: { authorization: 'Bearer expired' } },
  ])('answers 200 to $who: up, per system', async ({ headers }) => {
    await table.hold(health('hpc_two', false, ago(10)), health('hpc_one', true, ago(170)));
    const systems = [
      { name: 'hpc_one', project_hpc: 'HPC_ONE', status: 'up' },
      { name: 'hpc_two', project_hpc: 'HPC_TWO', status: 'down' },
    ];
    const { version } = packageFile;
    expect(await get('/status/', headers)).toEqual(answer(200, { status: 'up', version, systems }));
  });

  it.each([
    { until: -30, status: 'down', when: 'while its breaker is open' },
    { until: 1, status: 'up', when: 'by its health once the pause is over' },
  ])('shows a system $when as $status', async ({ until, status }) => {
    const breaker = {
      PK: 'SYSTEM#hpc_one',
      SK: 'BREAKER',
      type: 'system-breaker',
      hpc: 'hpc_one',
      failures: 5,
      pause_seconds: 30,
      open_until: ago(until),
    };
    await table.hold(breaker, health('hpc_one', true, ago(10)));
    expect((await get()).body).toMatchObject({
      systems: [{ name: 'hpc_one', status }, { status: 'unknown' }],
    });
  });

  it('says that nothing is known of a system that nobody has looked at for a while', async () => {
    await table.hold(health('hpc_one', true, ago(190)));
    const unknown = { status: 'unknown' };
    expect((await get()).body).toMatchObject({ systems: [unknown, unknown] });
  });

  it('answers 404 below it', async () => {
    expect(await get('/status/x/')).toEqual(pathNotFound);
  });

  it('reads all systems at once, and may be a moment behind: on a mocked table', async () => {
    table.mock.on(BatchGetCommand).resolves({ Responses: { [tableName]: [] } });
    expect((await get()).statusCode).toBe(200);
    const Keys = ['hpc_one', 'hpc_two'].flatMap((hpc) =>
      ['HEALTH', 'BREAKER', 'MAINTENANCE'].map((SK) => ({ PK: `SYSTEM#${hpc}`, SK })),
    );
    const RequestItems = { [tableName]: { Keys, ConsistentRead: false } };
    expect(sentCommands(table.mock)).toEqual([['BatchGetCommand', { RequestItems }]]);
  });

  it.each([
    new TableUnavailableError({ cause: new Error('connect ECONNREFUSED 10.0.0.1') }),
    new TableBusyError(),
    new Error('AccessDeniedException'),
  ])('answers 503 where the table does not answer, and shows nothing of why: %s', async (error) => {
    table.mock.on(BatchGetCommand).callsFake(() => Promise.reject(error));
    expect(await get('/status')).toEqual(
      problem({
        status: 503,
        slug: 'unavailable',
        title: 'The service is down',
        detail: 'The service cannot reach its database. Try again later.',
        headers: { 'retry-after': '10' },
      }),
    );
  });
});
