import { readFile } from 'node:fs/promises';
import type { Slipway } from '../../../index.ts';
import type { ProjectPlace } from '../../../rows/match-projects.ts';
import { RowUnreadable } from '../../../rows/read-fields.ts';
import { type GrantOfTable, readGrants } from '../../../rows/read-grants.ts';
import { findProject } from '../../account/find-project.ts';
import { CannotDo } from '../../outcome/outcome.ts';

/** Reads all rows of a file, or tells all its problems. */
export async function readGrantsFile(
  client: Slipway,
  path: string,
): Promise<readonly GrantOfTable[]> {
  const { rows, problems } = await readGrants(await readText(path), rememberPlaces(client));
  if (problems.size === 0) return rows;
  const whole = problems.get(0);
  if (whole !== undefined) {
    throw new CannotDo(`${path} is not a table of grants. ${whole}`);
  }
  throw new CannotDo(`Nothing was granted: some rows of ${path} cannot be read.`, {
    next: [...problems].map(([line, problem]) => `  line ${line}: ${problem}`).join('\n'),
  });
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new CannotDo(`The file ${path} cannot be read.`);
  }
}

/** Looks up each project once. */
function rememberPlaces(client: Slipway): (project: string) => Promise<ProjectPlace> {
  const known = new Map<string, Promise<ProjectPlace>>();
  return (project) => {
    const place = known.get(project) ?? findPlace(client, project);
    known.set(project, place);
    return place;
  };
}

async function findPlace(client: Slipway, project: string): Promise<ProjectPlace> {
  try {
    return await findProject(client, project);
  } catch (error) {
    throw error instanceof CannotDo ? new RowUnreadable(error.message) : error;
  }
}
