import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { readStatement } from '#lib/statements/read-statement.ts';
import type { StatementRow } from '#lib/statements/statement.ts';
import type { Table } from '#lib/table/table.ts';
import type { Place } from './places.ts';

interface Line {
  readonly user: UserId;
  readonly at: string;
  readonly kind: string;
  readonly seconds: number;
  readonly kilobytes: number;
  readonly used: number;
  readonly member?: UserId;
}

/**
 * Holds the statements of a project against all lines of its ledgers, which are added up here from the
 * first one on: the service goes back from what is left now.
 */
export async function verifyStatements(
  table: Table,
  { project }: Place,
  users: readonly UserId[],
  now: Date,
): Promise<void> {
  const accounts = [budgetHolder, ...users];
  const lines = (
    await Promise.all(accounts.map((user) => readLines(table, user, project.hpc, project.name)))
  ).flat();
  const months = [...new Set([...lines.map(({ at }) => at), now.toISOString()].map(monthOf))];
  let before: ReadonlyMap<UserId, object> = new Map();
  for (const month of months.sort()) {
    const { rows } = await readStatement(table, project, month, now);
    const inMonth = lines.filter(({ at }) => monthOf(at) === month);
    const upTo = lines.filter(({ at }) => monthOf(at) <= month);
    const words = `${project.name} in ${month}`;
    for (const user of accounts) {
      const row = rows.find((each) => each.user === user);
      const closing = addUp(upTo.filter((line) => line.user === user));
      expect(row?.closing ?? addUp([]), `what ${user} has left of ${words}`).toEqual(closing);
      expect(row?.opening ?? addUp([]), `what ${user} began with`).toEqual(
        before.get(user) ?? addUp([]),
      );
    }
    for (const row of rows) {
      expect(followAmounts(row), `the row of ${row.user} in ${words}`).toEqual(row.closing);
      const own = inMonth.filter(({ user, member }) => (member ?? user) === row.user);
      expect(row.used.seconds, `what ${row.user} used`).toBe(
        own.reduce((sum, { used }) => sum + used, 0),
      );
      expect(row.jobs).toBe(own.filter(({ kind }) => kind === 'settle').length);
    }
    const used = inMonth.reduce((sum, line) => sum + line.used, 0);
    expect(
      sum(rows, ({ used: { seconds } }) => seconds),
      `what was used of ${words}`,
    ).toBe(used);
    expect(sum(rows, ({ drawn }) => drawn.seconds)).toBe(0);
    expect(sum(rows, ({ shared }) => shared.seconds)).toBe(0);
    expect(sum(rows, ({ shared }) => shared.kilobytes)).toBe(0);
    before = new Map(rows.map(({ user, closing }) => [user, closing]));
  }
}

function followAmounts(row: StatementRow) {
  const { opening, granted, expired, corrected, shared, used, drawn, reserved } = row;
  const follow = (of: 'seconds' | 'kilobytes') =>
    opening[of] +
    granted[of] -
    expired[of] +
    corrected[of] +
    shared[of] -
    used[of] +
    drawn[of] -
    reserved[of];
  return { seconds: follow('seconds'), kilobytes: follow('kilobytes') };
}

async function readLines(table: Table, user: UserId, hpc: string, project: string) {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :ledger',
      ExpressionAttributeValues: { ':ledger': `LEDGER#${user}#${hpc}#${project}` },
      ConsistentRead: true,
    }),
  );
  return Items.map(
    ({ at, kind, seconds, kilobytes, used = 0, member }): Line => ({
      user,
      at,
      kind,
      seconds,
      kilobytes,
      used,
      ...(member !== undefined && { member }),
    }),
  );
}

function addUp(lines: readonly Line[]) {
  return {
    seconds: sum(lines, ({ seconds }) => seconds),
    kilobytes: sum(lines, ({ kilobytes }) => kilobytes),
  };
}

function sum<Each>(list: readonly Each[], amountOf: (each: Each) => number): number {
  return list.reduce((total, each) => total + amountOf(each), 0);
}

function monthOf(at: string): string {
  return at.slice(0, 'YYYY-MM'.length);
}
