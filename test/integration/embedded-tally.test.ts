import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeTable } from '#local/create-table.ts';
import { runOperation, runTogether } from '#local/dynamodb/dispatch/run-operation.ts';
import { openEngine } from '#local/dynamodb/embedded-dynamodb.ts';
import type { Engine } from '#local/dynamodb/store/engine.ts';
import { openTableFigures, type TableFigures } from '#local/dynamodb/table-figures.ts';

const TableName = 'slipway';
const tally = { types: ['job', 'quota'], by: ['stage'], sums: ['held'] };
const key = (n: number) => ({ PK: { S: 'USER#1' }, SK: { S: `ITEM#${n}` } });

let engine: Engine;
let figures: TableFigures;
let ending: AbortController;
beforeEach(() => {
  engine = openEngine();
  ending = new AbortController();
  figures = openTableFigures(engine, ending.signal);
  runOperation(engine, 'CreateTable', describeTable(TableName));
});
afterEach(() => {
  ending.abort();
  engine.database.close();
});

interface Content {
  readonly type: string;
  readonly stage: string;
  readonly held: number;
}

function writeItem(n: number, { type, stage, held }: Content) {
  return { ...key(n), type: { S: type }, stage: { S: stage }, held: { N: String(held) } };
}

function put(n: number, content: Content) {
  return runTogether(engine, 'PutItem', { TableName, Item: writeItem(n, content) });
}

function putAll(count: number, content: (n: number) => Content): void {
  for (let n = 0; n < count; n += 1) {
    runOperation(engine, 'PutItem', { TableName, Item: writeItem(n, content(n)) });
  }
}

const job = (stage: string): Content => ({ type: 'job', stage, held: 2 });

async function keep() {
  const kept = figures.keepTally(TableName, tally);
  return async () => {
    await expect.poll(() => kept.read()).toBeDefined();
    const groups = kept.read() ?? [];
    return Object.fromEntries(
      groups.map(({ by, items, sums }) => [`${by.type} ${by.stage}`, [items, sums.held]]),
    );
  };
}

describe('a tally of items', () => {
  it('counts what is there, in more than one step, and what comes later', async () => {
    putAll(1700, (n) => job(n % 2 ? 'RUNNING' : 'QUEUED'));
    const read = await keep();
    await put(1, job('ENDED'));
    await put(5000, { type: 'quota', stage: '', held: 7 });
    await put(5001, { type: 'other', stage: 'QUEUED', held: 7 });
    await runTogether(engine, 'DeleteItem', { TableName, Key: key(0) });
    expect(await read()).toEqual({
      'job ENDED': [1, 2],
      'job RUNNING': [849, 1698],
      'job QUEUED': [849, 1698],
      'quota ': [1, 7],
    });
  });

  it('does not count what was refused or rolled back, alone or among others', async () => {
    const read = await keep();
    const refused = {
      TransactItems: [
        { Put: { TableName, Item: writeItem(1, job('QUEUED')) } },
        {
          ConditionCheck: {
            TableName,
            Key: key(2),
            ConditionExpression: 'attribute_exists(PK)',
          },
        },
      ],
    };
    const answers = await Promise.allSettled([
      put(3, job('QUEUED')),
      runTogether(engine, 'TransactWriteItems', refused),
      put(4, job('QUEUED')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(() =>
      engine.database.transact(() => {
        runOperation(engine, 'DescribeTable', { TableName });
        engine.database.run("UPDATE items_1 SET item = json_remove(item, '$.type')");
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(await read()).toEqual({ 'job QUEUED': [2, 4] });
  });

  it('agrees with the items however they change while it counts', async () => {
    const content = fc.record({
      type: fc.constantFrom('job', 'quota', 'other'),
      stage: fc.constantFrom('A', 'B'),
      held: fc.integer({ min: -5, max: 1_000_000 }),
    });
    const place = fc.integer({ min: 0, max: 1400 });
    const act = fc.oneof(
      fc.record({ kind: fc.constant('put'), place, content }),
      fc.record({ kind: fc.constant('delete'), place, content }),
    );
    putAll(1200, () => job('A'));
    const read = await keep();
    const model = new Map(Array.from({ length: 1200 }, (_, n) => [n, job('A')]));
    for (const { kind, place: n, content: item } of fc.sample(act, { numRuns: 600, seed: 7 })) {
      if (kind === 'put') await put(n, item);
      else await runTogether(engine, 'DeleteItem', { TableName, Key: key(n) });
      if (kind === 'put') model.set(n, item);
      else model.delete(n);
    }
    const groups = Map.groupBy(
      [...model.values()].filter(({ type }) => type !== 'other'),
      ({ type, stage }) => `${type} ${stage}`,
    );
    const sums = [...groups].map(([name, items]) => [
      name,
      [items.length, items.reduce((sum, { held }) => sum + held, 0)],
    ]);
    expect(await read()).toEqual(Object.fromEntries(sums));
  });
});
