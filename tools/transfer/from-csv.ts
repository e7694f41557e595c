import * as v from 'valibot';
import { parseCsv } from '#client/src/rows/parse-csv.ts';
import type { OutsideGrant, SourceProblem, Translation } from './outside-grant.ts';

const names = v.record(v.string(), v.string());

/** Says what the columns of a table mean (docs/transfer.md). */
const TableMap = v.strictObject({
  /** Where the table comes from: together with `id` it names a grant. */
  source: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/)),
  columns: v.strictObject({
    id: v.string(),
    project: v.string(),
    system: v.optional(v.string()),
    user: v.optional(v.string()),
    account: v.optional(v.string()),
    time: v.optional(v.string()),
    space: v.optional(v.string()),
    start: v.optional(v.string()),
    end: v.optional(v.string()),
  }),
  /** What `time` counts. Hours are those that the system charges. */
  time_in: v.optional(v.picklist(['hours', 'minutes', 'seconds']), 'hours'),
  space_in: v.optional(v.picklist(['KB', 'MB', 'GB', 'TB']), 'GB'),
  /** The system of all rows, if no column names it. */
  system: v.optional(v.string()),
  /** The names of systems and projects here, by those in the table. */
  systems: v.optional(names, {}),
  projects: v.optional(names, {}),
  /** Only rows whose column has one of these values. */
  only: v.optional(v.record(v.string(), v.array(v.string())), {}),
});

type TableMap = v.InferOutput<typeof TableMap>;

const secondsIn = { hours: 3600, minutes: 60, seconds: 1 } as const;
const kilobytesIn = { KB: 1, MB: 1e3, GB: 1e6, TB: 1e9 } as const;

export function readTableMap(json: unknown): TableMap {
  const { success, output, issues } = v.safeParse(TableMap, json);
  if (success) return output;
  const problems = issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  throw new Error(`The map has mistakes: ${problems.join('; ')}`);
}

/** Translates the rows of a table. What its map does not name is left out. */
export function translateTable(text: string, map: TableMap): Translation {
  const { names: head, rows } = parseCsv(text);
  const missing = [...Object.values(map.columns), ...Object.keys(map.only)].filter(
    (column) => column !== undefined && !head.includes(column),
  );
  if (missing.length > 0) {
    throw new Error(
      `The table has no column ${missing.map((name) => `'${name}'`).join(', ')}. Its columns are: ${head.join(', ')}.`,
    );
  }
  const grants: OutsideGrant[] = [];
  const problems: SourceProblem[] = [];
  let others = 0;
  for (const { line, cells } of rows) {
    if (!isWanted(cells, map)) {
      others += 1;
      continue;
    }
    try {
      grants.push({ line, ...readRow(cells, map) });
    } catch (error) {
      problems.push({ line, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    source: map.source,
    grants,
    problems,
    choices: [
      `Time is read as ${map.time_in} of what the system charges, space in ${map.space_in}.`,
      ...(others > 0 ? [`${others} rows are left out, because of 'only' in the map.`] : []),
    ],
  };
}

type Cells = Readonly<Record<string, string>>;

function isWanted(cells: Cells, { only }: TableMap): boolean {
  return Object.entries(only).every(([column, values]) => values.includes(cells[column] ?? ''));
}

function readRow(cells: Cells, map: TableMap): Omit<OutsideGrant, 'line'> {
  const { columns } = map;
  const cell = (column: keyof TableMap['columns']) => {
    const name = columns[column];
    return name === undefined ? undefined : cells[name];
  };
  const need = (column: 'id' | 'project') => {
    const value = cell(column);
    if (value === undefined) throw new Error(`'${columns[column]}' is empty.`);
    return value;
  };
  const hpc = cell('system') ?? map.system;
  if (hpc === undefined)
    throw new Error("No system: name a column for it, or 'system' in the map.");
  const project = need('project');
  const amount = (column: 'time' | 'space', unit: number) => {
    const value = cell(column);
    if (value === undefined) return undefined;
    const number = Number(value.replaceAll(/[ ,_]/g, ''));
    if (!Number.isFinite(number) || number < 0) {
      throw new Error(`'${columns[column]}' is '${value}', which is no amount.`);
    }
    return Math.round(number * unit);
  };
  return {
    id: need('id'),
    hpc: map.systems[hpc] ?? hpc.toLowerCase(),
    project: map.projects[project] ?? project,
    user: cell('user'),
    login: cell('account'),
    seconds: amount('time', secondsIn[map.time_in]),
    kilobytes: amount('space', kilobytesIn[map.space_in]),
    start: readDay(cell('start')),
    end: readDay(cell('end'), dayMs - 1),
  };
}

const dayMs = 24 * 3600 * 1000;

/** Reads `2026-11-15`, with or without a time after it. The last day counts as a whole. */
function readDay(text: string | undefined, plusMs = 0): Date | undefined {
  if (text === undefined) return undefined;
  const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(text)?.[0];
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) throw new Error(`'${text}' is not a day such as 2026-11-15.`);
  return new Date(at.getTime() + plusMs);
}
