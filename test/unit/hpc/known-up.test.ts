import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { catalog } from '#lib/catalog/catalog.ts';
import { openSystems, type Visit } from '#lib/hpc/open/open-connector.ts';
import { addFault } from '#lib/hpc/open/system-faults.ts';
import { createHealthCheck } from '#lib/jobs/run/sweep/sweep.ts';
import { openTable } from '#lib/table/table.ts';
import '#test/fixtures/captured-log.ts';
import { connectors } from '#test/fixtures/connectors.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { mockTable } from '#test/fixtures/table-mock.ts';
import { startUnicoreServer, type UnicoreServer } from '#test/upstreams/unicore-server.ts';

const mock = mockTable();
const table = openTable('slipway-test');
let server: UnicoreServer;
let nowMs = 0;
beforeEach(async () => {
  mock.reset();
  mock.on(GetCommand).resolves({});
  mock.on(PutCommand).resolves({});
  server = await startUnicoreServer({ runsJobs: false });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  server.close();
  vi.restoreAllMocks();
});

/** A system behind its breaker, whose sweeps check its health. */
function openSystem() {
  const [one] = catalog.systems;
  const system = { ...one!, connector: { ...connectors.unicore, baseUrl: server.baseUrl } };
  const credentials = { read: async () => ({ token: 'right' }), forget: () => undefined };
  const options = { simulatedHourSeconds: 1, openCredentials: () => credentials };
  const visitSystem = openSystems(table, options);
  const check = createHealthCheck();
  const visit = (work: (visit: Visit) => Promise<unknown>) => visitSystem(system, work);
  return {
    visit,
    async sweep(): Promise<string> {
      let outcome = '';
      await visit(async (each) => {
        outcome = await check(each, system.name);
      });
      return outcome;
    },
  };
}

const job = { jobId: jobId('A'), owner: userId('1'), handle: 'gone' };
const countChecks = () => server.listCalls().filter((call) => call.endsWith('/rest/core')).length;

describe('the health of a system', () => {
  it('is asked for once in a while, however often it is swept', async () => {
    const { sweep } = openSystem();
    for (let round = 0; round < 100; round += 1) {
      expect(await sweep()).toBe('up');
      nowMs += 500;
    }
    expect(countChecks()).toBe(1);
    nowMs += 500;
    await sweep();
    expect(countChecks()).toBe(2);
  });

  it('is proved by any answer, and by none that came before a failure', async () => {
    const { sweep, visit } = openSystem();
    await sweep();
    for (let round = 0; round < 5; round += 1) {
      nowMs += 30_000;
      await visit(({ connector }) => connector.lookUp([job]));
      expect(await sweep()).toBe('up');
    }
    expect(countChecks()).toBe(1);
    server.failNext(/jobs/, { status: 500 });
    await visit(async ({ connector, isKnownUp }) => {
      await connector.lookUp([job]).catch(() => undefined);
      expect(isKnownUp()).toBe(false);
    });
  });

  it('is asked for in each sweep while the system fails, so that its breaker opens and is tried', async () => {
    const { sweep } = openSystem();
    server.failNext(/GET/, { status: 500 }, 2);
    // The failures are in the table, for every process.
    mock.on(PutCommand).callsFake(({ Item }) => void mock.on(GetCommand).resolves({ Item }));
    expect(await sweep()).toBe('down');
    expect(await sweep()).toBe('down');
    expect(await sweep()).toBe('up');
    expect(await sweep()).toBe('up');
    expect(countChecks()).toBe(3);
  });

  it('keeps the outcome of a slow answer until it is asked for again', async () => {
    const { sweep } = openSystem();
    const slow = async () => {
      nowMs += 1500;
    };
    vi.mocked(performance.now).mockImplementation(() => nowMs);
    const check = createHealthCheck();
    const { visit } = openSystem();
    const look = async () => {
      let outcome = '';
      await visit(async ({ connector, ...rest }) => {
        const slowed = addFault(connector, { kind: 'slow', ms: 1500 }, slow);
        outcome = await check({ connector: slowed, ...rest }, 'hpc_one');
      });
      return outcome;
    };
    expect(await look()).toBe('slow');
    nowMs += 10_000;
    expect(await look()).toBe('slow');
    expect(countChecks()).toBe(1);
    expect(await sweep()).toBe('up');
  });
});

describe('a system that was told to be down', () => {
  it('neither finds nor removes anything', async () => {
    const { visit } = openSystem();
    await visit(async ({ connector }) => {
      const down = addFault(connector, { kind: 'down' });
      await expect(down.remove?.(job)).rejects.toThrow('told to be down');
      await expect(down.findBegun?.(job)).rejects.toThrow('told to be down');
    });
    expect(server.requests).toEqual([]);
  });
});
