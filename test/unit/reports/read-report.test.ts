import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { readReport, readUserReport } from '#lib/reports/read-report.ts';
import { sumToItem } from '#lib/reports/usage-item.ts';
import { noUsage } from '#lib/reports/usage-sum.ts';
import { userDayKey, userMonthKey, userPlace } from '#lib/table/keys.ts';
import { openTable } from '#lib/table/table.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';
import { mockTable, tableName } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);
const hpc = systemName('hpc_one');
const month = '2026-11';
const report = { by: ['user'], period: { since: '2026-11-01', until: '2026-11-30' } } as const;

/** Stores so many users, each with sums in 100 projects. */
function storeUsers(count: number): void {
  const items = Array.from({ length: count * 100 }, (_, number) => {
    const user = userId(String(100 + Math.floor(number / 100)));
    const account = { user, hpc, project: projectName(`course_${number % 100}`) };
    return sumToItem(userMonthKey(account, month), { ...account, time: month, usage: noUsage });
  });
  mock.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => ({
    Items: items.filter(({ SK }) => SK > (values[':after'] ?? '')),
  }));
}

it('ends a page at 5,000 sums, and continues after the last user', async () => {
  storeUsers(60);
  const first = await readReport(table, report, 1000);
  expect(first.entries).toHaveLength(50);
  expect(first.next).toBe(userPlace(userId('149')));
  const second = await readReport(table, report, 1000, first.next);
  expect(second.entries.map(({ names }) => names.user)).toEqual(
    Array.from({ length: 10 }, (_, number) => String(150 + number)),
  );
  expect(second.next).toBeUndefined();
});

it('sorts the rows of a user by their names, and leaves out other systems', async () => {
  const user = userId('7');
  const sums = ['course_b', 'course_a', 'course_b'].map((name, day) => {
    const sum = { user, hpc, project: projectName(name), time: `2026-11-0${day + 1}` };
    return sumToItem(userDayKey(sum, sum.time), { ...sum, usage: { ...noUsage, jobs: 1 } });
  });
  mock.on(QueryCommand).resolves({ Items: [...sums, { ...sums[0], hpc: 'hpc_two' }] });
  const rows = await readUserReport(table, { ...report, by: ['project'], hpc, user });
  expect(rows.map(({ names, usage }) => [names, usage.jobs])).toEqual([
    [{ hpc, project: 'course_a' }, 1],
    [{ hpc, project: 'course_b' }, 2],
  ]);
});
