import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { defineItem, map, number, text } from '#lib/table/define-item.ts';
import {
  closedMonthKey,
  formerMembers,
  type ProjectKey,
  statementRowKey,
  statementRows,
} from '#lib/table/keys.ts';
import { userField } from '#lib/table/named-fields.ts';
import { queryAll, queryPage, selectPrefix, selectRange } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';
import type { StatementPart, StatementRow } from './statement.ts';

const amount = (name: StatementPart) =>
  map(name, { seconds: number('seconds'), kilobytes: number('kilobytes') });

/** A row of a closed month, which never changes. */
const storedRow = defineItem('statement-row', () => ({
  user: userField(),
  opening: amount('opening'),
  granted: amount('granted'),
  expired: amount('expired'),
  corrected: amount('corrected'),
  shared: amount('shared'),
  used: amount('used'),
  drawn: amount('drawn'),
  reserved: amount('reserved'),
  closing: amount('closing'),
  jobs: number('jobs'),
}));

const closedMonth = defineItem('closed-month', () => ({ month: text('month') }));
const formerMember = defineItem('former-member', () => ({ user: userField() }));

/** How many rows are written in parallel. */
const width = 16;

/** Stores the rows of a month. Written again, they are the same. */
export async function closeMonth(
  table: Table,
  project: ProjectKey,
  month: string,
  rows: readonly StatementRow[],
): Promise<void> {
  await mapInParallel(rows, width, (row) =>
    putItem(table, {
      Item: { ...statementRowKey(project, month, row.user), ...storedRow.format(row) },
    }),
  );
  await putItem(table, {
    Item: { ...closedMonthKey(project, month), ...closedMonth.format({ month }) },
  });
}

/** Returns the first closed month that is not before this one. */
export async function findClosedMonth(
  table: Table,
  project: ProjectKey,
  month: string,
): Promise<string | undefined> {
  const { PK, SK: from } = closedMonthKey(project, month);
  const { SK: to } = closedMonthKey(project, '9999-12');
  const { Items } = await queryPage(table, { ...selectRange(PK, { from, to }), Limit: 1 });
  return Items.map(closedMonth.parse)[0]?.month;
}

export function readRows(
  table: Table,
  project: ProjectKey,
  month: string,
): Promise<StatementRow[]> {
  return queryAll(table, selectPrefix(statementRows(project, month)), storedRow.parse);
}

export async function readFormerMembers(table: Table, project: ProjectKey) {
  const members = await queryAll(table, selectPrefix(formerMembers(project)), formerMember.parse);
  return members.map(({ user }) => user);
}
