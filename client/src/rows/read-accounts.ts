import { phrase } from '../words/rows.ts';
import { CsvBroken, parseCsv } from './parse-csv.ts';
import type { MappingRow } from './send-rows.ts';

export interface AccountTable {
  readonly rows: readonly { readonly line: number; readonly row: MappingRow }[];
  /** Problems by line; line 0 stands for the file as a whole. */
  readonly problems: ReadonlyMap<number, string>;
}

const columnNames = ['user_id', 'hpc', 'account'] as const;

/**
 * Reads a list of accounts, as CSV or as one JSON object on each line. Judges only its form: which
 * users, systems and names there can be says the service.
 */
export function readAccounts(text: string): AccountTable {
  const problems = new Map<number, string>();
  try {
    const rows = text.trimStart().startsWith('{') ? readLines(text, problems) : readTable(text);
    noteRepeated(rows, problems);
    if (rows.length + problems.size === 0) throw new CsvBroken(phrase('noRows'));
    return { rows, problems };
  } catch (error) {
    if (!(error instanceof CsvBroken)) throw error;
    return { rows: [], problems: new Map([[0, error.message]]) };
  }
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

function readTable(text: string): AccountTable['rows'] {
  const { names, rows } = parseCsv(text);
  const unknown = names.filter((name) => !columnNames.some((known) => known === name));
  const missing = columnNames.filter((known) => !names.includes(known));
  const known = columnNames.join(', ');
  if (unknown.length > 0) {
    throw new CsvBroken(phrase('unknownColumns', { unknown: unknown.join(', '), known }));
  }
  if (missing.length > 0) {
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
