import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { raiseCounter, takeNumbers } from '#lib/table/counter.ts';
import { openTable } from '#lib/table/table.ts';
import { mockTable, tableName } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);

beforeEach(() => mock.reset());

describe('takeNumbers', () => {
  it.each([
    { count: 1, value: 1, first: 1 },
    { count: 1, value: 81, first: 81 },
    { count: 2, value: 2, first: 1 },
    { count: 5, value: 85, first: 81 },
  ])('gives $first as the first of $count up to $value', async ({ count, value, first }) => {
    mock.on(UpdateCommand).resolves({ Attributes: { value } });
    expect(await takeNumbers(table, 'job', count)).toBe(first);
  });

  it.each([undefined, {}, { value: '80' }])('fails where the table answers %j', async (answer) => {
    mock.on(UpdateCommand).resolves(answer ? { Attributes: answer } : {});
    await expect(takeNumbers(table, 'job')).rejects.toThrow();
  });
});

describe('raiseCounter', () => {
  it('lets other errors pass', async () => {
    mock.on(UpdateCommand).rejects(new Error('down'));
    await expect(raiseCounter(table, 'job', 81)).rejects.toThrow('down');
  });
});
