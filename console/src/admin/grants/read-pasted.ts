import { joinWords } from '#client/src/format/join-words.ts';
import type { Project } from '#client/src/index.ts';
import { matchProjects, type ProjectPlace, writePlace } from '#client/src/rows/match-projects.ts';
import { RowUnreadable } from '#client/src/rows/read-grant-row.ts';
import { type GrantTable, readGrants } from '#client/src/rows/read-grants.ts';
import { phrase } from './words.ts';

/** The service accepts this many rows in one request. */
const mostRows = 1000;

/** Reads a pasted table: CSV, or the cells of a spreadsheet. */
export async function readPasted(text: string, projects: readonly Project[]): Promise<GrantTable> {
  const table = await readGrants(text, (wanted) => findPlace(projects, wanted), mostRows);
  return table.rows.length + table.problems.size > mostRows
    ? { rows: [], problems: new Map([[0, phrase('tooManyRows')]]) }
    : table;
}

function findPlace(projects: readonly Project[], wanted: string): ProjectPlace {
  const [place, ...others] = matchProjects(projects, wanted);
  if (!place) throw new RowUnreadable(phrase('unknownProject', { wanted }));
  if (others.length > 0) {
    const names = joinWords([place, ...others].map(writePlace), 'disjunction');
    throw new RowUnreadable(phrase('onSeveral', { wanted, names }));
  }
  return place;
}
