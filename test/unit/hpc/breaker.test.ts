import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBreaker } from '#lib/hpc/breaker/breaker.ts';
import {
  type BreakerState,
  closedBreaker,
  countAnswer,
  countFailure,
  findPhase,
} from '#lib/hpc/breaker/breaker-rules.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import {
  AnswerTooLargeError,
  CredentialsRefusedError,
  JobRefusedError,
  RemoteFileNotFoundError,
  SystemBusyError,
  SystemUnavailableError,
  TransferTooSlowError,
} from '#lib/hpc/errors.ts';
import { openTable } from '#lib/table/table.ts';
import { openBytes } from '#test/fixtures/byte-streams.ts';
import { jobId, systemName, userId } from '#test/fixtures/names.ts';
import { mockTable, sentCommands } from '#test/fixtures/table-mock.ts';

const start = new Date('2026-01-01T00:00:00Z');
const at = (seconds: number) => new Date(start.getTime() + seconds * 1000);

function fail(state: BreakerState, times: number, now = start): BreakerState {
  return Array.from({ length: times }).reduce<BreakerState>(
    (current) => countFailure(current, now, 'away'),
    state,
  );
}

describe('the rules of a breaker', () => {
  it('open it at the fifth failure in a row, for 30 seconds', () => {
    expect(findPhase(fail(closedBreaker, 4), start)).toBe('closed');
    const open = fail(closedBreaker, 5);
    expect(findPhase(open, start)).toBe('open');
    expect(findPhase(open, at(29.999))).toBe('open');
    expect(findPhase(open, at(30))).toBe('trial');
  });

  it('do not wait for a moment that the clock was set back from', () => {
    const open = fail(closedBreaker, 5);
    expect(findPhase(open, at(30 - 300))).toBe('open');
    expect(findPhase(open, at(30 - 301))).toBe('trial');
  });

  it('begin to count anew after any answer', () => {
    expect(fail(closedBreaker, 4).failures).toBe(4);
    expect(countAnswer(closedBreaker)).toEqual(closedBreaker);
  });

  it('remember since when a system fails, and what it said last, also when it is back', () => {
    const first = countFailure(closedBreaker, at(1), 'no answer');
    const second = countFailure(first, at(2), 'refused');
    expect(second).toMatchObject({
      failingSince: at(1),
      lastError: { at: at(2), reason: 'refused' },
    });
    expect(countAnswer(second)).toEqual({
      ...closedBreaker,
      lastError: { at: at(2), reason: 'refused' },
    });
  });

  it('open it twice as long after each trial that fails, up to five minutes', () => {
    let state = fail(closedBreaker, 5);
    const pauses: number[] = [];
    for (let trial = 0; trial < 6; trial += 1) {
      pauses.push(state.pauseSeconds);
      state = countFailure(state, state.openUntil ?? start, 'away');
    }
    expect(pauses).toEqual([30, 60, 120, 240, 300, 300]);
  });

  it('learn nothing from a call that fails while it is open', () => {
    const open = fail(closedBreaker, 5);
    expect(fail(open, 3, at(10))).toEqual(open);
  });
});

const mock = mockTable();
const table = openTable('slipway-test');
const key = { PK: 'SYSTEM#hpc_one', SK: 'BREAKER' };

function store(item?: object) {
  mock.on(GetCommand).resolves(item ? { Item: { ...item } } : {});
}
beforeEach(() => {
  mock.reset();
  store();
  mock.on(PutCommand).resolves({});
});

/** A system that answers each call with the next of these, and then with success. */
function system(...outcomes: (Error | 'answer')[]) {
  const calls: string[] = [];
  async function answer<T>(name: string, value: T): Promise<T> {
    calls.push(name);
    const outcome = outcomes.shift();
    if (outcome instanceof Error) throw outcome;
    return value;
  }
  const connector: Connector = {
    pollFloorSeconds: 7,
    batchSize: 9,
    submit: () => answer('submit', 'handle'),
    findByTag: () => answer('findByTag', 'handle'),
    findBegun: () => answer('findBegun', 'handle'),
    lookUp: () => answer('lookUp', new Map()),
    cancel: () => answer('cancel', undefined),
    remove: () => answer('remove', undefined),
    listFiles: () => answer('listFiles', []),
    findFile: () => answer('findFile', { id: 'f', name: 'f', bytes: 0 }),
    openFile: () => answer('openFile', openBytes(new Uint8Array())),
    checkHealth: () => answer('checkHealth', undefined),
  };
  return { connector, calls };
}

const job = { jobId: jobId('A'), owner: userId('1'), handle: 'h' };
const order = {
  ...job,
  program: 'ls',
  nodes: 1,
  coresPerNode: 1,
  hours: 1,
  title: '',
  extras: {},
};
const down = () => new SystemUnavailableError('down');

/** Every call that a connector has, one after the other, and what became of each. */
async function callAll(connector: Connector): Promise<string[]> {
  const calls = [
    () => connector.submit(order),
    () => connector.findByTag(job),
    () => connector.lookUp([job]),
    () => connector.cancel(job),
    async () => connector.findBegun?.(job),
    async () => connector.remove?.(job),
    () => connector.listFiles(job),
    async () => connector.findFile?.(job, 'f'),
    () => connector.openFile(job, 'f'),
    () => connector.checkHealth(),
  ];
  const outcomes: string[] = [];
  for (const call of calls) {
    outcomes.push(
      await call().then(
        () => 'answer',
        (error: Error) => error.message,
      ),
    );
  }
  return outcomes;
}

describe('a guarded connector', () => {
  it('is the connector itself while the system answers, and nothing is written', async () => {
    const { connector, calls } = system();
    const breaker = await openBreaker(table, systemName('hpc_one'), start);
    const guarded = breaker.guard(connector);
    expect(guarded).toMatchObject({ pollFloorSeconds: 7, batchSize: 9 });
    expect(await callAll(guarded)).toEqual(Array(10).fill('answer'));
    expect(calls).toHaveLength(10);
    await breaker.save();
    expect(sentCommands(mock)).toEqual([
      ['GetCommand', { TableName: 'slipway-test', Key: key, ConsistentRead: true }],
    ]);
  });

  it('calls no more after five failures, and says so', async () => {
    const refused = new CredentialsRefusedError('refused');
    const { connector, calls } = system(down(), refused, down(), refused, down());
    const breaker = await openBreaker(table, systemName('hpc_one'), start);
    const why = 'hpc_one has not answered for a while. It will be tried again soon.';
    expect(await callAll(breaker.guard(connector))).toEqual([
      'down',
      'refused',
      'down',
      'refused',
      'down',
      ...Array(5).fill(why),
    ]);
    expect(calls).toHaveLength(5);
    expect(breaker.isOpen).toBe(true);
    await expect(breaker.guard(connector).lookUp([])).rejects.toThrow(SystemUnavailableError);
  });

  it.each([
    new SystemBusyError('busy'),
    new JobRefusedError('never'),
    new RemoteFileNotFoundError(),
    new AnswerTooLargeError('long'),
    new TransferTooSlowError('slow'),
  ])('takes $name for an answer', async (answer) => {
    const { connector } = system(
      down(),
      down(),
      down(),
      down(),
      answer,
      'answer',
      'answer',
      'answer',
      down(),
      down(),
    );
    const breaker = await openBreaker(table, systemName('hpc_one'), start);
    await callAll(breaker.guard(connector));
    expect(breaker.isOpen).toBe(false);
    await breaker.save();
    expect(mock.commandCalls(PutCommand)[0]?.args[0].input.Item).toMatchObject({ failures: 2 });
  });

  it('is not opened for others by failures that were expected, and an answer still closes it', async () => {
    const failing = { ...key, failures: 4, pause_seconds: 0 };
    mock.on(GetCommand).resolves({ Item: failing });
    const breaker = await openBreaker(table, systemName('hpc_one'), start);
    await callAll(breaker.guard(system(...Array.from({ length: 10 }, down)).connector));
    expect(breaker.isOpen).toBe(true);
    await breaker.save(true);
    expect(mock.commandCalls(PutCommand)).toEqual([]);
    const later = await openBreaker(table, systemName('hpc_one'), start);
    await callAll(later.guard(system().connector));
    await later.save(true);
    expect(mock.commandCalls(PutCommand)[0]?.args[0].input.Item).toMatchObject({ failures: 0 });
  });

  it('learns nothing from an error of our own', async () => {
    const ours = () => new TypeError('ours');
    const { connector } = system(down(), ...Array.from({ length: 9 }, ours));
    const breaker = await openBreaker(table, systemName('hpc_one'), start);
    await callAll(breaker.guard(connector));
    await breaker.save();
    expect(mock.commandCalls(PutCommand)[0]?.args[0].input.Item).toMatchObject({ failures: 1 });
  });
});

describe('a stored breaker', () => {
  const stored = {
    ...key,
    type: 'system-breaker',
    schema_version: 1,
    hpc: 'hpc_one',
    failures: 5,
    pause_seconds: 30,
    open_until: at(30).toISOString(),
  };

  it('is written when it opens', async () => {
    const { connector } = system(down(), down(), down(), down(), down());
    const breaker = await openBreaker(table, systemName('hpc_one'), start);
    await callAll(breaker.guard(connector));
    await breaker.save();
    const Item = mock.commandCalls(PutCommand)[0]?.args[0].input.Item;
    expect(Item).toEqual({
      ...stored,
      open_until: expect.any(String),
      failing_since: expect.any(String),
      error_at: expect.any(String),
      error_reason: expect.stringMatching(/\w/),
    });
    const pause = Date.parse(Item?.open_until) - start.getTime();
    expect(pause).toBeGreaterThanOrEqual(30_000);
    expect(pause).toBeLessThan(35_000);
  });

  it('keeps another process from calling at all', async () => {
    store(stored);
    const { connector, calls } = system();
    const breaker = await openBreaker(table, systemName('hpc_one'), at(10));
    expect(breaker.isOpen).toBe(true);
    await callAll(breaker.guard(connector));
    expect(calls).toEqual([]);
    await breaker.save();
    expect(mock.commandCalls(PutCommand)).toEqual([]);
  });

  it('lets only the health be asked for when its pause is over, and closes with its answer', async () => {
    store(stored);
    const { connector, calls } = system();
    const breaker = await openBreaker(table, systemName('hpc_one'), at(31));
    const guarded = breaker.guard(connector);
    expect(breaker.isOpen).toBe(false);
    await callAll(guarded);
    expect(calls).toEqual(['checkHealth']);
    await callAll(guarded);
    expect(calls).toHaveLength(11);
    await breaker.save();
    const { open_until: _, ...closed } = { ...stored, failures: 0, pause_seconds: 0 };
    expect(mock.commandCalls(PutCommand)[0]?.args[0].input.Item).toEqual(closed);
  });

  it('stays open for twice as long where the trial fails', async () => {
    store(stored);
    const { connector } = system(down());
    const breaker = await openBreaker(table, systemName('hpc_one'), at(31));
    await breaker
      .guard(connector)
      .checkHealth()
      .catch(() => undefined);
    expect(breaker.isOpen).toBe(true);
    await breaker.save();
    expect(mock.commandCalls(PutCommand)[0]?.args[0].input.Item).toMatchObject({
      failures: 5,
      pause_seconds: 60,
    });
  });
});
