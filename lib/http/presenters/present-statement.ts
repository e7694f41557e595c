import { budgetHolder } from '#lib/catalog/identifiers.ts';
import type { Statement } from '#lib/statements/read-statement.ts';
import {
  type StatementAmounts,
  type StatementRow,
  statementParts,
  sumRows,
} from '#lib/statements/statement.ts';
import { presentAmount } from './present-quota.ts';
import { writeCsv } from './present-report.ts';
import { timestamp } from './values.ts';

/** What users are called, if the statement is to say so. */
type Names = ReadonlyMap<string, string> | undefined;

export function presentStatement(statement: Statement, names?: Names) {
  const { project, month, until, closed, rows } = statement;
  return {
    project: project.number,
    ...namePlace(statement),
    month,
    until: timestamp(until),
    closed,
    ...presentAmounts(sumRows(rows)),
    rows: rows.map((row) => {
      const name = names?.get(row.user);
      return {
        user: nameUser(row),
        ...(name !== undefined && { name }),
        ...presentAmounts(row),
      };
    }),
  };
}

function presentAmounts(amounts: StatementAmounts & Pick<StatementRow, 'jobs'>) {
  const { opening, granted, expired, corrected, shared, used, drawn, reserved, closing } = amounts;
  return {
    opening: presentAmount(opening),
    granted: presentAmount(granted),
    expired: presentAmount(expired),
    corrected: presentAmount(corrected),
    shared: presentAmount(shared),
    used: presentAmount(used),
    drawn: presentAmount(drawn),
    reserved: presentAmount(reserved),
    closing: presentAmount(closing),
    jobs_ended: amounts.jobs,
  };
}

/** Writes a table of the rows. It has no sums, so that a spreadsheet can add up its columns. */
export function writeStatement(statement: Statement, names?: Names): string {
  const { month, rows } = statement;
  return writeCsv(
    statementColumns.filter((column) => column !== 'name' || names !== undefined),
    rows.map((row) => ({
      ...namePlace(statement),
      month,
      user: nameUser(row),
      name: names?.get(row.user) ?? null,
      ...Object.fromEntries(
        statementParts.flatMap((part) => [
          [`time_${part}`, row[part].seconds],
          [`space_${part}`, row[part].kilobytes],
        ]),
      ),
      jobs_ended: row.jobs,
    })),
  );
}

const statementColumns = [
  'project_hpc',
  'project_name',
  'month',
  'user',
  'name',
  ...statementParts.map((part) => `time_${part}`),
  'jobs_ended',
  ...statementParts.map((part) => `space_${part}`),
];

function namePlace({ project }: Statement) {
  return { project_hpc: project.hpc.toUpperCase(), project_name: project.name };
}

function nameUser({ user }: StatementRow): string | null {
  return user === budgetHolder ? null : user;
}
