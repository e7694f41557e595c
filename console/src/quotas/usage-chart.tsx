import { type Charging, writeNodeTime } from '#client/src/format/amounts/amounts.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import { clock } from '../live/clock.ts';
import { Chart, listDays, toSeries } from '../parts/chart.tsx';
import type { UsageRow } from './use-usage.ts';
import { phrase } from './words.ts';

const days = 30;
const dayMs = 86_400_000;

interface UsageChartProps {
  readonly rows: readonly UsageRow[];
  /** The unit of all systems together. */
  readonly charging: Charging;
}

/** Draws what ended jobs used on each of the last 30 days, by project. */
export function UsageChart({ rows, charging }: UsageChartProps) {
  const until = clock.value.toISOString().slice(0, 10);
  const since = new Date(Date.parse(until) - (days - 1) * dayMs).toISOString().slice(0, 10);
  const moments = listDays(since, until);
  const amounts = rows.map(({ day = '', project_name: name = '', time_used: value }) => ({
    moment: day,
    name,
    value,
  }));
  const whole = amounts.reduce((sum, { value }) => sum + value, 0);
  return (
    <Chart
      label={phrase('usedInDays', { time: writeNodeTime(whole, charging), days })}
      moments={moments.map((day) => writeDay(day))}
      series={toSeries(amounts, moments)}
      write={(seconds) => writeNodeTime(seconds, charging)}
      unit={3600}
    />
  );
}
