import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { findDue, walkDue } from '#lib/table/due-index.ts';
import { userRegistry } from '#lib/table/keys.ts';
import { readRegistry } from '#lib/table/registry.ts';
import { openTable } from '#lib/table/table.ts';
import { mockTable, tableName } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);

describe('an answer that says nothing of items', () => {
  it('has none', async () => {
    mock.on(QueryCommand).resolves({});
    expect(await findDue(table, ['DUE#one#0'], new Date(), 10)).toEqual([]);
    expect(await Array.fromAsync(walkDue(table, ['DUE#one#0'], new Date(), 10))).toEqual([]);
    expect(await readRegistry(table, userRegistry, 10)).toEqual({ users: [], goesOn: false });
  });
});
