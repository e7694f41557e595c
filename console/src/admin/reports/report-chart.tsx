import { Fragment } from 'preact';
import {
  type Charging,
  joinCharging,
  nameUnit,
  writeNodeTime,
} from '#client/src/format/amounts/amounts.ts';
import type { ReportRow } from '#client/src/index.ts';
import type { ProjectPlace } from '../../browser/address.ts';
import { chargingOf } from '../../live/catalog.ts';
import { Chart, listDays, toSeries } from '../../parts/chart.tsx';
import {
  type Group,
  isTime,
  nameGroup,
  nameMoment,
  nameRow,
  type ReportFilters,
} from './report-filters.ts';
import { phrase } from './words.ts';

interface ReportChartProps {
  readonly rows: readonly ReportRow[];
  readonly filters: ReportFilters;
  /** The project of all rows, which then have its unit. */
  readonly at?: ProjectPlace;
}

/** Draws days and months as columns, and everything else as bars with names. */
export function ReportChart({ rows, filters, at }: ReportChartProps) {
  const unitOf: UnitOf = (hpc = at?.hpc.toUpperCase()) => chargingOf(hpc);
  const { by, split } = filters;
  if (!isTime(by)) return <Bars bars={layOutBars(rows, by, unitOf)} by={by} />;
  const charging = unitOf();
  const moments = listMoments(filters);
  return (
    <Chart
      label={writeLabel(filters, nameUnit(charging))}
      moments={moments.map(nameMoment)}
      series={toSeries(
        rows.map((row) => ({
          moment: row.day ?? row.month ?? '',
          name: split === '' ? phrase('used') : nameRow(row, split),
          value: row.time_used,
        })),
        moments,
      )}
      write={(seconds) => writeNodeTime(seconds, charging)}
      unit={3600}
    />
  );
}

function writeLabel({ by, split }: ReportFilters, unit: string): string {
  const group = nameGroup(by);
  return split === ''
    ? phrase('usageBy', { group, unit })
    : phrase('usageByAnd', { group, split: nameGroup(split), unit });
}

function Bars({ bars, by }: { readonly bars: readonly NamedBar[]; readonly by: Group }) {
  return (
    <figure
      class="chart bars"
      role="img"
      aria-label={phrase('usageAsInTable', { group: nameGroup(by) })}
    >
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

interface Bar extends Named {
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

function measure<Each extends Named>(named: readonly Each[]): readonly (Each & Bar)[] {
  const longest = Math.max(1, ...named.map(({ seconds }) => seconds));
  return named.map((each) => ({ ...each, share: each.seconds / longest }));
}

function gather(sorted: readonly NamedRow[]): readonly NamedRow[] {
  if (sorted.length <= mostBars) return sorted;
  const others = sorted.slice(mostBars - 1);
  const seconds = others.reduce((sum, each) => sum + each.seconds, 0);
  const charging = joinCharging(others.map((each) => each.charging));
  const name = phrase('others', { count: others.length });
  return [...sorted.slice(0, mostBars - 1), { name, seconds, charging }];
}

/** Lists each day or month of the period, even without usage. */
export function listMoments({ by, since, until }: ReportFilters): readonly string[] {
  const days = listDays(since, until);
  return by === 'day' ? days : [...new Set(days.map((day) => day.slice(0, 7)))];
}
