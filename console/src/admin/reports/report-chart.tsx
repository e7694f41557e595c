import { Fragment } from 'preact';
import { type Charging, joinCharging, writeNodeTime } from '#client/src/format/amounts.ts';
import type { ReportRow } from '#client/src/index.ts';
import type { ProjectPlace } from '../../browser/address.ts';
import { chargingOf } from '../../live/catalog.ts';
import { type Group, nameMoment, nameRow, type ReportFilters } from './report-filters.ts';

interface ReportChartProps {
  readonly rows: readonly ReportRow[];
  readonly filters: ReportFilters;
  /** The project of all rows, which then have its unit. */
  readonly at?: ProjectPlace;
}

/** Draws days and months as columns, and everything else as bars with names. */
export function ReportChart({ rows, filters, at }: ReportChartProps) {
  const { by } = filters;
  const unitOf: UnitOf = (hpc = at?.hpc.toUpperCase()) => chargingOf(hpc);
  if (by === 'day' || by === 'month') {
    return <Columns bars={layOutTime(rows, filters)} by={by} charging={unitOf()} />;
  }
  return <Bars bars={layOutBars(rows, by, unitOf)} by={by} />;
}

interface BarsProps {
  readonly bars: readonly NamedBar[];
  readonly by: string;
}

function Bars({ bars, by }: BarsProps) {
  return (
    <figure class="chart bars" role="img" aria-label={`Usage by ${by}, as in the table`}>
      {bars.map(({ name, seconds, share, charging }) => (
        <Fragment key={name}>
          <span class="name">{name}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class="ground" width="100" height="10" />
            <rect class="stack-0" width={share * 100} height="10" />
          </svg>
          <span class="number">{writeNodeTime(seconds, charging)}</span>
        </Fragment>
      ))}
    </figure>
  );
}

const width = 10;
const height = 80;

interface ColumnsProps {
  readonly bars: readonly Bar[];
  readonly by: string;
  readonly charging: Charging;
}

function Columns({ bars, by, charging }: ColumnsProps) {
  const first = bars[0]?.name;
  const last = bars.at(-1)?.name;
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${bars.length * width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Usage by ${by}, as in the table`}
      >
        {bars.map(({ name, seconds, share }, index) => (
          <g key={name}>
            <title>{`${name}: ${writeNodeTime(seconds, charging)}`}</title>
            <rect class="ground" x={index * width} width={width - 2} height={height} />
            <rect
              class="stack-0"
              x={index * width}
              y={height * (1 - share)}
              width={width - 2}
              height={height * share}
            />
          </g>
        ))}
      </svg>
      <figcaption class="quiet ends">
        <span>{first}</span>
        {last !== first && <span>{last}</span>}
      </figcaption>
    </figure>
  );
}

export interface Bar extends Named {
  /** Share of the longest bar, from 0 to 1. */
  readonly share: number;
}

/** Smaller bars are added up, because more could not be told apart. */
const mostBars = 12;

/** Returns the unit of a system. Without a system, the unit of all together. */
type UnitOf = (projectHpc?: string) => Charging;

type NamedBar = Bar & NamedRow;

/** Lays out the bars, the largest first. */
export function layOutBars(
  rows: readonly ReportRow[],
  by: Group,
  unitOf: UnitOf,
): readonly NamedBar[] {
  const named = rows
    .map((row) => ({
      name: nameRow(row, by),
      seconds: row.time_used,
      charging: unitOf(row.project_hpc),
    }))
    .toSorted((a, b) => b.seconds - a.seconds);
  return measure(gather(named));
}

interface Named {
  readonly name: string;
  readonly seconds: number;
}

interface NamedRow extends Named {
  readonly charging: Charging;
}

export function measure<Each extends Named>(named: readonly Each[]): readonly (Each & Bar)[] {
  const longest = Math.max(1, ...named.map(({ seconds }) => seconds));
  return named.map((each) => ({ ...each, share: each.seconds / longest }));
}

function gather(sorted: readonly NamedRow[]): readonly NamedRow[] {
  if (sorted.length <= mostBars) return sorted;
  const others = sorted.slice(mostBars - 1);
  const seconds = others.reduce((sum, each) => sum + each.seconds, 0);
  const charging = joinCharging(others.map((each) => each.charging));
  return [...sorted.slice(0, mostBars - 1), { name: `${others.length} others`, seconds, charging }];
}

const dayMs = 86_400_000;

/** Lays out a column for each day or month of the period, even without usage. */
export function layOutTime(
  rows: readonly ReportRow[],
  { by, since, until }: ReportFilters,
): readonly Bar[] {
  const used = new Map(rows.map(({ day, month, time_used: seconds }) => [day ?? month, seconds]));
  const days = listDays(since, until);
  const moments = by === 'day' ? days : [...new Set(days.map((day) => day.slice(0, 7)))];
  return measure(
    moments.map((moment) => ({ name: nameMoment(moment), seconds: used.get(moment) ?? 0 })),
  );
}

function listDays(since: string, until: string): readonly string[] {
  const count = Math.round((Date.parse(until) - Date.parse(since)) / dayMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(Date.parse(since) + index * dayMs).toISOString().slice(0, 10),
  );
}
