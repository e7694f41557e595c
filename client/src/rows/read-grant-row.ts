import { given } from '../calls/given.ts';
import { readKilobytes, readNodeTime } from '../format/amounts/amounts.ts';
import { readEnd, readUserNumber } from '../format/quotas/read-grant.ts';
import { phrase } from '../words/rows.ts';
import type { ProjectPlace } from './match-projects.ts';
import type { GrantRow } from './send-rows.ts';

/** The columns that people write, then those of the service in its own units. */
export const columnNames = [
  'user',
  'project',
  'node_hours',
  'space',
  'until',
  'reason',
  'user_id',
  'hpc',
  'project_name',
  'add.time',
  'add.space',
  'set.time',
  'set.space',
  'valid_until',
] as const;

export type Cells = Readonly<Partial<Record<(typeof columnNames)[number], string>>>;

export type FindPlace = (project: string) => ProjectPlace | Promise<ProjectPlace>;

/** Reads a row into the form that the service accepts. */
export async function readGrantRow(cells: Cells, findPlace: FindPlace): Promise<GrantRow> {
  const add = given({
    time: readEither(cells, 'node_hours', readTimeOfQuota, 'add.time', readWhole),
    space: readEither(cells, 'space', readSpaceOfQuota, 'add.space', readWhole),
  });
  const set = given({
    time: readCell(cells, 'set.time', readWhole),
    space: readCell(cells, 'set.space', readWhole),
  });
  const end = readEither(cells, 'until', readEndOfQuota, 'valid_until', (text) =>
    text === 'null' ? null : text,
  );
  const user = readEither(cells, 'user', readUser, 'user_id', readUser);
  if (user === undefined) throw new RowUnreadable(phrase('userMissing'));
  return {
    user_id: user,
    ...(await readPlace(cells, findPlace)),
    ...given({ add, set, valid_until: end, reason: cells.reason }),
  };
}

async function readPlace(cells: Cells, findPlace: FindPlace): Promise<ProjectPlace> {
  const { project, hpc, project_name: name } = cells;
  if (project !== undefined && name === undefined && hpc === undefined) return findPlace(project);
  if (project === undefined && hpc !== undefined && name !== undefined) {
    return { hpc, project_name: name };
  }
  throw new RowUnreadable(phrase('projectTwice'));
}

function readEither<Value>(
  cells: Cells,
  plain: keyof Cells,
  readPlain: (text: string) => Value,
  raw: keyof Cells,
  readRaw: (text: string) => Value,
): Value | undefined {
  if (cells[plain] !== undefined && cells[raw] !== undefined) {
    throw new RowUnreadable(phrase('eitherOr', { plain, raw }));
  }
  return readCell(cells, plain, readPlain) ?? readCell(cells, raw, readRaw);
}

function readCell<Value>(
  cells: Cells,
  name: keyof Cells,
  read: (text: string) => Value,
): Value | undefined {
  const text = cells[name];
  if (text === undefined) return undefined;
  try {
    return read(text);
  } catch (error) {
    throw new RowUnreadable(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

function readWhole(text: string): number {
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  throw new RowUnreadable(phrase('writeWhole'));
}

/** A row, or one of its cells, cannot be read. */
export class RowUnreadable extends Error {}

/** Makes a reader say what to write instead of a text that it cannot read. */
export function insist<Value>(
  read: (text: string) => Value | undefined,
  advise: () => string,
): (text: string) => Value {
  return (text) => {
    const value = read(text);
    if (value !== undefined) return value;
    throw new RowUnreadable(advise());
  };
}

/** Seconds. A negative number takes some away. */
export const readTimeOfQuota = insist(readNodeTime, () => phrase('writeHours'));
/** Kilobytes. */
export const readSpaceOfQuota = insist(readKilobytes, () => phrase('writeSize'));
export const readEndOfQuota = insist(
  (text) => readEnd(text, new Date()),
  () => phrase('writeDay'),
);
const readUser = insist(readUserNumber, () => phrase('writeUser'));
