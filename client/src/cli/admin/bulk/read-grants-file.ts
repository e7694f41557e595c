import { readFile } from 'node:fs/promises';
import type { GrantRow, Slipway } from '../../../index.ts';
import type { ProjectPlace } from '../../../rows/match-projects.ts';
import { parseCsv } from '../../../rows/parse-csv.ts';
import { RowUnreadable } from '../../../rows/read-fields.ts';
import { columnNames, readGrantRow } from '../../../rows/read-grant-row.ts';
import { findProject } from '../../account/find-project.ts';
import { CannotDo } from '../../outcome/outcome.ts';

export interface GrantOfFile {
  readonly line: number;
  readonly row: GrantRow;
}

/** All rows of a file, or all that is wrong with it: half a file is never sent. */
export async function readGrantsFile(client: Slipway, path: string): Promise<GrantOfFile[]> {
  const { names, rows } = parseFile(await readText(path), path);
  const unknown = names.filter((name) => !columnNames.some((known) => known === name));
  if (rows.length === 0 || unknown.length > 0) {
    throw new CannotDo(
      unknown.length > 0
        ? `${path} has columns that mean nothing here: ${unknown.join(', ')}.`
        : `${path} has no rows.`,
      { next: `Its first line names the columns. There are: ${columnNames.join(', ')}.` },
    );
  }
  const findPlace = rememberPlaces(client);
  const wrong: string[] = [];
  const grants: GrantOfFile[] = [];
  for (const { line, cells } of rows) {
    try {
      grants.push({ line, row: await readGrantRow(cells, findPlace) });
    } catch (error) {
      if (!isAboutRow(error)) throw error;
      wrong.push(`  line ${line}: ${error.message}`);
    }
  }
  if (wrong.length === 0) return grants;
  throw new CannotDo(`Nothing was granted: some rows of ${path} cannot be read.`, {
    next: wrong.join('\n'),
  });
}

function isAboutRow(error: unknown): error is Error {
  return error instanceof CannotDo || error instanceof RowUnreadable;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new CannotDo(`The file ${path} cannot be read.`);
  }
}

function parseFile(text: string, path: string): ReturnType<typeof parseCsv> {
  try {
    return parseCsv(text);
  } catch (error) {
    throw new CannotDo(`${path} is no table of commas (CSV).`, {
      ...(error instanceof Error && { next: error.message }),
    });
  }
}

/** Each project is looked up once. */
function rememberPlaces(client: Slipway): (project: string) => Promise<ProjectPlace> {
  const known = new Map<string, Promise<ProjectPlace>>();
  return (project) => {
    const place = known.get(project) ?? findProject(client, project);
    known.set(project, place);
    return place;
  };
}
