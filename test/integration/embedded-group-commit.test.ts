import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeTable } from '#local/create-table.ts';
import { runOperation, runTogether } from '#local/dynamodb/dispatch/run-operation.ts';
import { openEngine } from '#local/dynamodb/embedded-dynamodb.ts';
import type { Engine } from '#local/dynamodb/store/engine.ts';

const TableName = 'slipway';
const key = (SK: string) => ({ PK: { S: 'USER#1' }, SK: { S: SK } });

const put = (SK: string) => ({ TableName, Item: { ...key(SK), type: { S: 'a' } } });
const putOnce = (SK: string) => ({ ...put(SK), ConditionExpression: 'attribute_not_exists(PK)' });
const add = (SK: string, condition?: string) => ({
  TableName,
  Key: key(SK),
  UpdateExpression: 'ADD held :one',
  ExpressionAttributeValues: { ':one': { N: '1' }, ...(condition && { ':most': { N: '3' } }) },
  ReturnValues: 'UPDATED_NEW',
  ...(condition && { ConditionExpression: condition }),
});

/** As a kill leaves it: what the process has in its memory is gone. */
function copyDatabase(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from).filter((each) => each.startsWith('table.'))) {
    copyFileSync(join(from, name), join(to, name));
  }
}

describe('calls that arrive together', () => {
  let folder: string;
  let engine: Engine;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-group-'));
    engine = openEngine({ path: folder });
    runOperation(engine, 'CreateTable', describeTable(TableName));
  });
  afterEach(() => {
    engine.database.close();
    rmSync(folder, { recursive: true });
  });

  const call = (name: string, body: object) => runTogether(engine, name, body);
  const live = (SK: string) => runTogether(engine, 'PutItem', put(SK), 'lives');
  const find = (SK: string) => {
    const outcome = runOperation(engine, 'GetItem', { TableName, Key: key(SK) });
    return outcome.refusal ? undefined : outcome.answer.Item;
  };
  const countCommits = () => {
    const run = vi.spyOn(engine.database, 'run');
    return () => run.mock.calls.filter(([sql]) => sql === 'COMMIT').length;
  };

  it('are written to the disk by one commit, and answered after it', async () => {
    const commits = countCommits();
    const answered = Promise.all(
      Array.from({ length: 20 }, (_, n) => call('PutItem', put(`A${n}`)).then(() => commits())),
    );
    expect(await answered).toEqual(Array.from({ length: 20 }, () => 1));
  });

  it('let requests pass the lives of jobs, of which some go on in each commit', async () => {
    const commits = countCommits();
    const lives = Array.from({ length: 30 }, (_, n) => live(`L${n}`).then(() => commits()));
    const request = await call('PutItem', put('request')).then(() => commits());
    expect(request).toBe(1);
    const order = await Promise.all(lives);
    expect(order[0]).toBe(1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order.at(-1)).toBeGreaterThan(1);
  });

  it('begin no transaction where all of them read', async () => {
    await call('PutItem', put('A'));
    const run = vi.spyOn(engine.database, 'run');
    await Promise.all([1, 2].map(() => call('GetItem', { TableName, Key: key('A') })));
    expect(run).not.toHaveBeenCalled();
  });

  it('see each other in their order, and every condition holds', async () => {
    await call('UpdateItem', add('Q'));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => call('UpdateItem', add('Q', 'held < :most'))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled'],
      ...['rejected', 'rejected', 'rejected', 'rejected'],
    ]);
    expect(find('Q')).toMatchObject({ text: expect.stringContaining('"held":{"N":"3"}') });
  });

  it('lose nothing by a refusal of one of them', async () => {
    await call('PutItem', put('taken'));
    const outcomes = await Promise.allSettled([
      call('PutItem', putOnce('before')),
      call('TransactWriteItems', {
        TransactItems: [{ Put: putOnce('half') }, { Put: putOnce('taken') }],
      }),
      call('PutItem', putOnce('after')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([find('before'), find('half'), find('after')].map(Boolean)).toEqual([true, false, true]);
  });

  it('are each tried alone where the database fails, so that only the one fails that cannot be done', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const save = engine.items.save.bind(engine.items);
    vi.spyOn(engine.items, 'save').mockImplementation((table, before, item) => {
      save(table, before, item);
      if (item.SK && 'S' in item.SK && item.SK.S === 'large') throw new Error('disk full');
    });
    const outcomes = await Promise.allSettled(
      ['A', 'large', 'B'].map((SK) => call('PutItem', put(SK))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([find('A'), find('large'), find('B')].map(Boolean)).toEqual([true, false, true]);
  });

  it('leave a database that opens after each kill, though some commits changed nothing', async () => {
    const kills = [1, 2, 3].map((kill) => join(folder, `killed-${kill}`));
    let current = engine;
    let place = folder;
    for (const killed of kills) {
      // The first commit after a start changes nothing, and those behind it do.
      await Promise.allSettled([runTogether(current, 'PutItem', putOnce('A'))]);
      await runTogether(current, 'PutItem', put('A'));
      await runTogether(current, 'PutItem', put(killed));
      copyDatabase(place, killed);
      if (current !== engine) current.database.close();
      current = openEngine({ path: killed });
      place = killed;
    }
    const last = runOperation(current, 'GetItem', { TableName, Key: key(kills[2] ?? '') });
    expect(last).toMatchObject({ answer: { Item: expect.anything() } });
    current.database.close();
  });

  it('fail where the commit does, with nothing of them kept', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const run = engine.database.run.bind(engine.database);
    const broken = vi.spyOn(engine.database, 'run').mockImplementation((sql, ...values) => {
      if (sql === 'COMMIT') throw new Error('disk full');
      run(sql, ...values);
    });
    const outcomes = await Promise.allSettled([1, 2].map((n) => call('PutItem', put(`A${n}`))));
    broken.mockRestore();
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(find('A1')).toBeUndefined();
    await call('PutItem', put('A1'));
    expect(find('A1')).toBeDefined();
  });
});
