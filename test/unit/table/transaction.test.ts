import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { PartitionFullError, TableBusyError } from '#lib/table/errors.ts';
import { openTable } from '#lib/table/table.ts';
import { type RetryPolicy, type Step, writeTransaction } from '#lib/table/transaction.ts';
import {
  canceled,
  conditionFailed,
  conflict,
  mockTable,
  passed,
  sentCommands,
  tableName,
} from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);

beforeEach(() => {
  mock.reset();
  mock.on(TransactWriteCommand).resolves({});
});

/** The refusal of a step, with the item that its condition met. */
class Refusal extends Error {
  readonly step: string;
  readonly stored: unknown;
  constructor(step: string, stored: unknown) {
    super(step);
    this.step = step;
    this.stored = stored;
  }
}

function step(name: string): Step {
  return {
    Put: { Item: { PK: name } },
    refuse: (stored) => new Refusal(name, stored),
  };
}

const steps = [step('first'), step('second'), step('third')];

/** A clock that only waiting moves, and a chance that is always the same. */
function policy(changes: Partial<RetryPolicy> = {}) {
  const waited: number[] = [];
  let time = 1_000_000;
  return {
    waited,
    baseMs: 20,
    capMs: 400,
    budgetMs: 8_000,
    random: () => 1,
    now: () => time,
    wait: async (ms: number) => {
      waited.push(ms);
      time += ms;
    },
    ...changes,
  } satisfies RetryPolicy & { waited: number[] };
}

function refuseWith(...reasons: Parameters<typeof canceled>[0][]) {
  mock.reset();
  const answers = mock.on(TransactWriteCommand);
  for (const each of reasons) answers.rejectsOnce(canceled(each));
  answers.resolves({});
}

describe('writeTransaction', () => {
  it('writes all steps at once, in their order', async () => {
    await writeTransaction(table, steps);
    expect(sentCommands(mock)).toEqual([
      [
        'TransactWriteCommand',
        {
          TransactItems: ['first', 'second', 'third'].map((PK) => ({
            Put: { TableName: tableName, Item: { PK } },
          })),
        },
      ],
    ]);
  });

  it.each(['first', 'second', 'third'])('throws the refusal of the %s step', async (name) => {
    const item = { PK: 'x', left: 5, list: ['a'], nothing: null };
    const names = ['first', 'second', 'third'];
    refuseWith(names.map((each) => (each === name ? conditionFailed(item) : passed)));
    const error = await writeTransaction(table, steps, policy()).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ step: name, stored: item });
    expect(mock.calls()).toHaveLength(1);
  });

  it('knows that the item was not there', async () => {
    refuseWith([passed, conditionFailed(), passed]);
    await expect(writeTransaction(table, steps, policy())).rejects.toMatchObject({
      step: 'second',
      stored: undefined,
    });
  });

  it('lets the first reason that is not None decide', async () => {
    refuseWith([passed, conditionFailed({ a: 1 }), conditionFailed({ a: 2 })]);
    await expect(writeTransaction(table, steps, policy())).rejects.toMatchObject({
      step: 'second',
      stored: { a: 1 },
    });
  });

  it('tries again where a conflict stands before a refusal', async () => {
    refuseWith([conflict, conditionFailed(), passed]);
    await writeTransaction(table, steps, policy());
    expect(mock.calls()).toHaveLength(2);
  });

  it('refuses where a refusal stands before a conflict', async () => {
    refuseWith([conditionFailed(), conflict, passed]);
    await expect(writeTransaction(table, steps, policy())).rejects.toMatchObject({ step: 'first' });
  });

  it('skips reasons without a code', async () => {
    refuseWith([{}, conditionFailed(), passed]);
    await expect(writeTransaction(table, steps, policy())).rejects.toMatchObject({
      step: 'second',
    });
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'tries the same again after %s, until it passes',
    async (Code) => {
      refuseWith(
        [passed, { Code }, passed],
        [{ Code }, passed, passed],
        [passed, passed, { Code }],
      );
      await writeTransaction(table, steps, policy());
      const [first, ...others] = sentCommands(mock);
      expect(others).toEqual([first, first, first]);
    },
  );

  it('waits twice as long each time, up to the cap, times chance', async () => {
    const eight = Array.from({ length: 8 }, () => [conflict]);
    refuseWith(...eight);
    const slow = policy();
    await writeTransaction(table, steps, slow);
    expect(slow.waited).toEqual([20, 40, 80, 160, 320, 400, 400, 400]);
    refuseWith(...eight);
    const half = policy({ random: () => 0.5 });
    await writeTransaction(table, steps, half);
    expect(half.waited).toEqual([10, 20, 40, 80, 160, 200, 200, 200]);
    refuseWith(...eight);
    const hasty = policy({ random: () => 0 });
    await writeTransaction(table, steps, hasty);
    expect(hasty.waited).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('gives up before its budget is spent, and says what was in the way', async () => {
    const error = canceled([conflict, passed, passed]);
    mock.on(TransactWriteCommand).rejects(error);
    const patient = policy({ budgetMs: 1000 });
    const thrown = await writeTransaction(table, steps, patient).catch((each) => each);
    expect(thrown).toBeInstanceOf(TableBusyError);
    expect(thrown.cause).toBe(error);
    expect(patient.waited).toEqual([20, 40, 80, 160, 320]);
    expect(mock.calls()).toHaveLength(6);
  });

  it.each([
    { budgetMs: 20, attempts: 2 },
    { budgetMs: 19, attempts: 1 },
  ])('tries $attempts times in $budgetMs ms', async ({ budgetMs, attempts }) => {
    mock.on(TransactWriteCommand).rejects(canceled([conflict]));
    await expect(writeTransaction(table, steps, policy({ budgetMs }))).rejects.toThrow(
      TableBusyError,
    );
    expect(mock.calls()).toHaveLength(attempts);
  });

  it('gives up in the words of the step whose item others keep writing', async () => {
    const special: Step = { ...step('special'), giveUp: (cause) => new Error('mine', { cause }) };
    const withSpecial = [special, step('other')];
    const attempt = (reasons: Parameters<typeof canceled>[0]) => {
      mock.on(TransactWriteCommand).rejects(canceled(reasons));
      return writeTransaction(table, withSpecial, policy({ budgetMs: 100 }));
    };
    await expect(attempt([conflict, passed])).rejects.toThrow('mine');
    await expect(attempt([conflict, conflict])).rejects.toThrow('mine');
    await expect(attempt([passed, conflict])).rejects.toThrow(TableBusyError);
  });

  it('throws a refusal that comes after conflicts', async () => {
    refuseWith([conflict], [conflict], [passed, passed, conditionFailed({ a: 1 })]);
    await expect(writeTransaction(table, steps, policy())).rejects.toMatchObject({
      step: 'third',
      stored: { a: 1 },
    });
  });

  it('says that a partition is full, at once', async () => {
    const error = canceled([passed, { Code: 'ItemCollectionSizeLimitExceeded' }]);
    mock.on(TransactWriteCommand).rejects(error);
    const failure = writeTransaction(table, steps, policy());
    await expect(failure).rejects.toThrow(PartitionFullError);
    await expect(failure).rejects.toHaveProperty('cause', error);
    expect(mock.calls()).toHaveLength(1);
  });

  it.each([
    new Error('no network'),
    Object.assign(new Error('denied'), { name: 'AccessDeniedException' }),
    canceled([]),
    canceled([{ Code: 'ValidationError', Message: 'wrong' }]),
    canceled([passed, passed, passed, conditionFailed()]),
  ])('lets every other error pass, at once: %s', async (error) => {
    mock.on(TransactWriteCommand).rejects(error);
    const patient = policy();
    await expect(writeTransaction(table, steps, patient)).rejects.toBe(error);
    expect(patient.waited).toEqual([]);
    expect(mock.calls()).toHaveLength(1);
  });
});
