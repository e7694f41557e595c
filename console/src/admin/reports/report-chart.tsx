import { writeNodeTime } from '#client/format/write-node-time.ts';
import type { ReportRow } from '#client/index.ts';
import { layOutBars } from './lay-out-bars.ts';
import type { Group } from './report-filters.ts';

const rowHeight = 26;
const nameWidth = 170;
const barWidth = 420;
const width = nameWidth + barWidth + 130;

/** One bar for each row, with its name and number beside it; the table says the same. */
export function ReportChart({
  rows,
  by,
}: {
  readonly rows: readonly ReportRow[];
  readonly by: Group;
}) {
  const bars = layOutBars(rows, by);
  const whole = rows.reduce((sum, { time_used: used }) => sum + used, 0);
  return (
    <figure class="chart bars">
      <svg
        viewBox={`0 0 ${width} ${bars.length * rowHeight}`}
        role="img"
        aria-label={`${writeNodeTime(whole)} used, by ${by}. The table below has the numbers.`}
      >
        {bars.map(({ key, name, seconds, share }, index) => {
          const middle = index * rowHeight + rowHeight / 2;
          return (
            <g key={key}>
              <title>{`${name}: ${writeNodeTime(seconds)}`}</title>
              <text x={nameWidth - 10} y={middle} class="name">
                {shorten(name)}
              </text>
              <rect
                class="ground"
                x={nameWidth}
                y={middle - 8}
                width={barWidth}
                height={16}
                rx="3"
              />
              <rect
                class="stack-0"
                x={nameWidth}
                y={middle - 8}
                width={Math.max(seconds > 0 ? 2 : 0, share * barWidth)}
                height={16}
                rx="3"
              />
              <text x={nameWidth + barWidth + 10} y={middle}>
                {writeNodeTime(seconds)}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function shorten(name: string): string {
  return name.length > 24 ? `${name.slice(0, 23)}…` : name;
}
