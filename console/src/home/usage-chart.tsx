import { type Charging, writeNodeTime } from '#client/src/format/amounts.ts';
import { writeDay } from '#client/src/format/day.ts';
import { clock } from '../live/clock.ts';
import type { UsageRow } from '../quotas/use-usage.ts';

const days = 30;
const height = 80;
const width = 10;

interface UsageChartProps {
  readonly rows: readonly UsageRow[];
  /** The unit of all systems together. */
  readonly charging: Charging;
}

export function UsageChart({ rows, charging }: UsageChartProps) {
  const stacks = stackDays(rows, days, clock.value);
  const highest = Math.max(1, ...stacks.map(({ sum }) => sum));
  const names = [...new Set(rows.map(({ project_name: name = '' }) => name))].sort();
  const whole = stacks.reduce((sum, each) => sum + each.sum, 0);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${days * width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${writeNodeTime(whole, charging)} used in the last ${days} days`}
      >
        {stacks.map(({ day, parts, sum }, index) => {
          let below = 0;
          return (
            <g key={day}>
              <title>{`${writeDay(day)}: ${writeNodeTime(sum, charging)}`}</title>
              <rect class="ground" x={index * width} y="0" width={width - 2} height={height} />
              {parts.map(({ name, amount }) => {
                const size = (amount / highest) * (height - 4);
                below += size;
                return (
                  <rect
                    key={name}
                    class={`stack stack-${names.indexOf(name) % 4}`}
                    x={index * width}
                    y={height - below}
                    width={width - 2}
                    height={size}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <figcaption class="quiet">
        {writeNodeTime(whole, charging)} in the last {days} days
        {names.map((name, index) => (
          <span key={name} class={`key stack-${index % 4}`}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

const dayMs = 86_400_000;

interface DayStack {
  readonly day: string;
  readonly parts: readonly { readonly name: string; readonly amount: number }[];
  readonly sum: number;
}

interface Row {
  readonly day?: string;
  readonly project_name?: string;
  readonly time_used: number;
}

/** Stacks the usage of each of the last days, even of days without any. */
export function stackDays(rows: readonly Row[], days: number, now: Date): readonly DayStack[] {
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10);
    const parts = rows
      .filter((row) => row.day === day)
      .map(({ project_name: name = '', time_used: amount }) => ({ name, amount }));
    return { day, parts, sum: parts.reduce((sum, { amount }) => sum + amount, 0) };
  });
}
