import type { GrantRow, Project } from '#client/src/index.ts';
import { matchProjects, type ProjectPlace, writePlace } from '#client/src/rows/match-projects.ts';
import { CsvBroken, parseCsv } from '#client/src/rows/parse-csv.ts';
import { RowUnreadable } from '#client/src/rows/read-fields.ts';
import { columnNames, readGrantRow } from '#client/src/rows/read-grant-row.ts';

export interface PastedRow {
  readonly line: number;
  readonly row: GrantRow;
}

export interface ReadPaste {
  readonly rows: readonly PastedRow[];
  /** By the line they are on; 0 is the table as a whole. */
  readonly problems: ReadonlyMap<number, string>;
}

/** What one request takes. */
const mostRows = 1000;

/** All rows of what was pasted, and all that is wrong with it: a table is never sent by halves. */
export async function readPasted(text: string, projects: readonly Project[]): Promise<ReadPaste> {
  const whole = (problem: string) => ({ rows: [], problems: new Map([[0, problem]]) });
  const table = parse(spaceToCommas(text));
  if (typeof table === 'string') return whole(table);
  const unknown = table.names.filter((name) => !columnNames.some((known) => known === name));
  if (unknown.length > 0) {
    return whole(
      `The first line must name the columns; these mean nothing here: ${unknown.join(', ')}. There are ${columnNames.join(', ')}.`,
    );
  }
  if (table.rows.length === 0) return whole('There are no rows below the names of the columns.');
  if (table.rows.length > mostRows) return whole('More than 1,000 rows: paste them in parts.');
  const problems = new Map<number, string>();
  const rows: PastedRow[] = [];
  for (const { line, cells } of table.rows) {
    try {
      rows.push({ line, row: await readGrantRow(cells, (wanted) => findPlace(projects, wanted)) });
    } catch (error) {
      if (!(error instanceof RowUnreadable)) throw error;
      problems.set(line, error.message);
    }
  }
  return { rows, problems };
}

/** Cells that are copied from a spreadsheet come with tabs between them. */
function spaceToCommas(text: string): string {
  const [head = ''] = text.split('\n');
  if (!head.includes('\t') || head.includes(',')) return text;
  const quote = (cell: string) =>
    /[",]/.test(cell) && !cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(quote).join(','))
    .join('\n');
}

function parse(text: string): ReturnType<typeof parseCsv> | string {
  try {
    return parseCsv(text);
  } catch (error) {
    if (error instanceof CsvBroken) return error.message;
    throw error;
  }
}

function findPlace(projects: readonly Project[], wanted: string): ProjectPlace {
  const [place, ...others] = matchProjects(projects, wanted);
  if (!place) throw new RowUnreadable(`project: There is no project '${wanted}'.`);
  if (others.length > 0) {
    const names = [place, ...others].map(writePlace).join(' or ');
    throw new RowUnreadable(`project: '${wanted}' is on several systems. Write ${names}.`);
  }
  return place;
}
