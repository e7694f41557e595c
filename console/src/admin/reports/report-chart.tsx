import { Fragment } from 'preact';
import { type Charging, writeNodeTime } from '#client/src/format/write-node-time.ts';
import type { ReportRow } from '#client/src/index.ts';
import { type Bar, layOutBars, type NamedBar, type UnitOf } from './lay-out-bars.ts';
import { layOutTime } from './lay-out-time.ts';
import type { ReportFilters } from './report-filters.ts';

interface ReportChartProps {
  readonly rows: readonly ReportRow[];
  readonly filters: ReportFilters;
  readonly unitOf: UnitOf;
}

/** Time runs to the right; everything else is told apart by its name. The table says the same. */
export function ReportChart({ rows, filters, unitOf }: ReportChartProps) {
  const { by } = filters;
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
    <figure class="chart bars" role="img" aria-label={`Used by ${by}, as in the table`}>
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
        aria-label={`Used by ${by}, as in the table`}
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
