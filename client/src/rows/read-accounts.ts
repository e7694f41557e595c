import { phrase } from '../words/rows.ts';
import { CsvBroken } from './parse-csv.ts';
import { parseKnown, type ReadTable, readTable } from './read-table.ts';
import type { MappingRow } from './send-rows.ts';

type AccountTable = ReadTable<MappingRow>;

const columnNames = ['user_id', 'hpc', 'account'] as const;

/**
 * Reads a list of accounts, as CSV or as one JSON object on each line. Judges only its form: which
 * users, systems and names there can be says the service.
 */
export function readAccounts(text: string): Promise<AccountTable> {
  return readTable(async (problems) => {
    const isJson = text.trimStart().startsWith('{');
    const rows = isJson ? readLines(text, problems) : readCsv(text);
    noteRepeated(rows, problems);
    return rows;
  });
}

/** The service sees only the pieces that it is sent, so it would take the last of two. */
function noteRepeated(rows: AccountTable['rows'], problems: Map<number, string>): void {
  const lines = new Map<string, number>();
  for (const { line, row } of rows) {
    const name = `${row.user_id} ${row.hpc}`;
    const first = lines.get(name) ?? line;
    lines.set(name, first);
    if (first !== line) problems.set(line, phrase('sameAsLine', { first }));
  }
}

function readCsv(text: string): AccountTable['rows'] {
  const { names, rows } = parseKnown(text, columnNames);
  const missing = columnNames.filter((known) => !names.includes(known));
  if (missing.length > 0) {
    const known = columnNames.join(', ');
    throw new CsvBroken(phrase('columnsMissing', { missing: missing.join(', '), known }));
  }
  return [...rows].map(({ line, cells }) => ({ line, row: rowOf(cells) }));
}

function readLines(text: string, problems: Map<number, string>): AccountTable['rows'] {
  return text.split('\n').flatMap((written, index) => {
    if (written.trim() === '') return [];
    const line = index + 1;
    try {
      return [{ line, row: rowOf(Object(JSON.parse(written))) }];
    } catch {
      problems.set(line, phrase('notJson'));
      return [];
    }
  });
}

function rowOf(cells: Readonly<Record<string, unknown>>): MappingRow {
  const [user_id, hpc, account] = columnNames.map((name) => String(cells[name] ?? ''));
  return { user_id: user_id ?? '', hpc: hpc ?? '', account: account ?? '' };
}
