import { writeDay } from '#client/src/format/times/day.ts';
import type { ReportRow } from '#client/src/index.ts';
import { phrase } from './words.ts';

export const groups = ['project', 'user', 'system', 'day', 'month'] as const;

/** In one project, only these tell rows apart. */
export const groupsOfProject = [
  'user',
  'day',
  'month',
] as const satisfies (typeof groups)[number][];

export type Group = (typeof groups)[number];

/** Names a group, within a sentence. */
export function nameGroup(group: string): string {
  switch (group) {
    case 'project':
      return phrase('project');
    case 'user':
      return phrase('user');
    case 'system':
      return phrase('system');
    case 'day':
      return phrase('day');
    case 'month':
      return phrase('month');
    default:
      return group;
  }
}

/** What each day or month can be divided by. */
export const splits = ['system', 'project', 'user'] as const;

type Split = (typeof splits)[number] | '';

/** The filters, as the address has them. Both days are included. */
export interface ReportFilters {
  readonly by: Group;
  readonly since: string;
  readonly until: string;
  /** Undefined for all users. */
  readonly user?: string | undefined;
  /** Only for days and months. Empty for their sums. */
  readonly split: Split;
}

const mostDays = 366;
const dayMs = 86_400_000;

/** Reads the filters. The default is the current month. */
export function readReportFilters(
  query: URLSearchParams,
  now: Date,
  usual: Group = 'project',
): ReportFilters {
  const today = now.toISOString().slice(0, 10);
  const day = (name: string, otherwise: string) => {
    const asked = query.get(name) ?? '';
    return /^\d{4}-\d{2}-\d{2}$/.test(asked) ? asked : otherwise;
  };
  const asked = query.get('by');
  const user = query.get('user') ?? '';
  const by = groups.find((group) => group === asked) ?? usual;
  const split = splits.find((each) => each === query.get('split')) ?? '';
  return {
    by,
    split: isTime(by) ? split : '',
    since: day('since', `${today.slice(0, 8)}01`),
    until: day('until', today),
    user: /^\d+$/.test(user) ? user : undefined,
  };
}

export function isTime(by: Group): by is 'day' | 'month' {
  return by === 'day' || by === 'month';
}

/** Returns the dimensions as the service takes them: `system,day`. */
export function dimensionsOf({ by, split }: Pick<ReportFilters, 'by' | 'split'>): string {
  return split === '' ? by : `${split},${by}`;
}

/** Says what is wrong with a period, before the service is asked. */
export function checkPeriod({
  since,
  until,
}: Pick<ReportFilters, 'since' | 'until'>): string | undefined {
  if (since > until) return phrase('startAfterEnd');
  const days = (Date.parse(until) - Date.parse(since)) / dayMs + 1;
  return days > mostDays ? phrase('tooManyDays') : undefined;
}

/** Names what a row of a report stands for. */
export function nameRow(row: ReportRow, by: Group): string {
  switch (by) {
    case 'user':
      return row.user ?? '';
    case 'project':
      return row.project_name ?? '';
    case 'system':
      return row.project_hpc?.toLowerCase() ?? '';
    case 'day':
    case 'month':
      return nameMoment(row.day ?? row.month ?? '');
  }
}

/** Writes a day (`2026-11-15`) or a month (`2026-11`) in words. */
export function nameMoment(moment: string): string {
  const day = writeDay(moment);
  return moment.length === '2026-11'.length ? day.replace(/^\d+\.? /, '') : day;
}
