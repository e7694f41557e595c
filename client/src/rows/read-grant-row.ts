import { readKilobytes, readNodeTime } from '../format/amounts.ts';
import { readDay } from '../format/day.ts';
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
  const add = readAmounts(
    readEither(cells, 'node_hours', readTimeOfQuota, 'add.time', readWhole),
    readEither(cells, 'space', readSpaceOfQuota, 'add.space', readWhole),
  );
  const set = readAmounts(
    readCell(cells, 'set.time', readWhole),
    readCell(cells, 'set.space', readWhole),
  );
  const end = readEither(cells, 'until', readEndOfQuota, 'valid_until', readRawEnd);
  const user = readEither(cells, 'user', readUser, 'user_id', readUser);
  if (user === undefined) throw new RowUnreadable(phrase('userMissing'));
  return {
    user_id: user,
    ...(await readPlace(cells, findPlace)),
    ...(add && { add }),
    ...(set && { set }),
    ...(end !== undefined && { valid_until: end }),
    ...(cells.reason !== undefined && { reason: cells.reason }),
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

function readAmounts(time: number | undefined, space: number | undefined) {
  if (time === undefined && space === undefined) return undefined;
  return { ...(time !== undefined && { time }), ...(space !== undefined && { space }) };
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

function readRawEnd(text: string): string | null {
  return text === 'null' ? null : text;
}

/** A row, or one of its cells, cannot be read. */
export class RowUnreadable extends Error {}

/** Reads seconds of a quota. A negative number takes some away. */
export function readTimeOfQuota(text: string): number {
  const seconds = readNodeTime(text);
  if (seconds !== undefined) return seconds;
  throw new RowUnreadable(phrase('writeHours'));
}

/** Kilobytes. */
export function readSpaceOfQuota(text: string): number {
  const kilobytes = readKilobytes(text);
  if (kilobytes !== undefined) return kilobytes;
  throw new RowUnreadable(phrase('writeSize'));
}

/** Reads the last day of a quota; null means no end. */
export function readEndOfQuota(text: string): string | null {
  if (text.trim().toLowerCase() === 'never') return null;
  const day = readDay(text, new Date());
  if (day !== undefined) return day;
  throw new RowUnreadable(phrase('writeDay'));
}

/** Reads the number of a user, and refuses a project in its place. */
function readUser(text: string): string {
  if (/^\d+$/.test(text.trim())) return text.trim();
  throw new RowUnreadable(phrase('writeUser'));
}
