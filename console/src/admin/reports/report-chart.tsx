import { Fragment } from 'preact';
import { writeNodeTime } from '#client/src/format/write-node-time.ts';
import type { ReportRow } from '#client/src/index.ts';
import { type Bar, layOutBars } from './lay-out-bars.ts';
import { layOutTime } from './lay-out-time.ts';
import type { ReportFilters } from './report-filters.ts';

interface ReportChartProps {
  readonly rows: readonly ReportRow[];
  readonly filters: ReportFilters;
}

/** Time runs to the right; everything else is told apart by its name. The table says the same. */
export function ReportChart({ rows, filters }: ReportChartProps) {
  const { by } = filters;
  if (by === 'day' || by === 'month') return <Columns bars={layOutTime(rows, filters)} by={by} />;
  return <Bars bars={layOutBars(rows, by)} by={by} />;
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly by: string;
}

function Bars({ bars, by }: BarsProps) {
  return (
    <figure class="chart bars" role="img" aria-label={`Used by ${by}, as in the table`}>
      {bars.map(({ name, seconds, share }) => (
        <Fragment key={name}>
          <span class="name">{name}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class="ground" width="100" height="10" />
            <rect class="stack-0" width={share * 100} height="10" />
          </svg>
          <span class="number">{writeNodeTime(seconds)}</span>
        </Fragment>
      ))}
    </figure>
  );
}

const width = 10;
const height = 80;

function Columns({ bars, by }: BarsProps) {
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
            <title>{`${name}: ${writeNodeTime(seconds)}`}</title>
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
