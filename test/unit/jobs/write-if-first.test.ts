import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { tooLate, writeIfFirst } from '#lib/jobs/life/write-if-first.ts';
import { openTable } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { canceled, conditionFailed, mockTable, tableName } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);

beforeEach(() => mock.reset());

function step(refuse: () => Error): Step {
  return { Put: { Item: {} }, refuse };
}

describe('writeIfFirst', () => {
  it('says yes where it was written', async () => {
    mock.on(TransactWriteCommand).resolves({});
    expect(await writeIfFirst(table, [step(tooLate)])).toBe(true);
  });

  it('says no where something else was first', async () => {
    mock.on(TransactWriteCommand).rejects(canceled([conditionFailed()]));
    expect(await writeIfFirst(table, [step(tooLate)])).toBe(false);
  });

  it('fails where a step was refused for another reason', async () => {
    mock.on(TransactWriteCommand).rejects(canceled([conditionFailed()]));
    const refused = new Error('The quota holds less than that.');
    await expect(writeIfFirst(table, [step(() => refused)])).rejects.toBe(refused);
  });
});
