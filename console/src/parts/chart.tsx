import { writeNumber } from '#client/src/format/numbers/write-number.ts';
import { Table } from './table.tsx';
import { phrase } from './words.ts';

interface Series {
  readonly name: string;
  /** One value for each moment. */
  readonly values: readonly number[];
}

interface ChartProps {
  /** Says what is shown, in which unit. */
  readonly label: string;
  /** The name of each column, such as a day. */
  readonly moments: readonly string[];
  /** Stacked from the baseline, the first one lowest. */
  readonly series: readonly Series[];
  /** Writes a value with its unit. */
  readonly write: (value: number) => string;
  /** The value of one unit, so that the scale has round numbers in it. */
  readonly unit: number;
}

const columnWidth = 10;
const height = 100;

/**
 * Draws stacked columns with a baseline, a scale and the names of the first and last moment. A moment
 * without a value has no column. The drawing is hidden from screen readers, which get the table.
 */
export function Chart({ label, moments, series, write, unit }: ChartProps) {
  const sums = moments.map((_, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  const { top, ticks } = chooseScale(Math.max(0, ...sums), unit);
  const whole = sums.reduce((sum, each) => sum + each, 0);
  const middle = Math.floor((moments.length - 1) / 2);
  return (
    <figure class="chart">
      <div class="plot" aria-hidden="true">
        <ul class="scale">
          {ticks.map((tick) => (
            <li key={tick} style={{ bottom: `${(100 * tick) / top}%` }}>
              {writeNumber(tick / unit)}
            </li>
          ))}
        </ul>
        <svg
          viewBox={`0 0 ${moments.length * columnWidth} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {ticks.map((tick) => (
            <line
              key={tick}
              class={tick === 0 ? 'base' : 'grid'}
              x1="0"
              x2={moments.length * columnWidth}
              y1={height * (1 - tick / top)}
              y2={height * (1 - tick / top)}
            />
          ))}
          {moments.map((moment, at) => (
            <g key={moment}>
              <title>{`${moment}: ${write(sums[at] ?? 0)}`}</title>
              {stack(series, at, top).map(({ index, from, size }) => (
                <rect
                  key={index}
                  class={`stack-${index % colours}`}
                  x={at * columnWidth + 1}
                  y={height * (1 - from - size)}
                  width={columnWidth - 2}
                  height={height * size}
                />
              ))}
            </g>
          ))}
        </svg>
        <p class="ends quiet">
          <span>{moments[0]}</span>
          {moments.length > 6 && <span>{moments[middle]}</span>}
          {moments.length > 1 && <span>{moments.at(-1)}</span>}
        </p>
      </div>
      <figcaption class="quiet">
        <span>{label}</span>
        {series.length > 1 &&
          series.map(({ name }, index) => (
            <span key={name} class={`key stack-${index % colours}`}>
              {name}
            </span>
          ))}
      </figcaption>
      {whole > 0 && (
        <details>
          <summary>{phrase('showAsTable')}</summary>
          <Table
            rows={moments
              .map((moment, at) => ({ moment, at }))
              .filter(({ at }) => (sums[at] ?? 0) > 0)}
            keyOf={({ moment }) => moment}
            columns={[
              { head: phrase('when'), cell: ({ moment }) => moment },
              ...series.map(({ name, values }) => ({
                head: name,
                cell: ({ at }: { readonly at: number }) => write(values[at] ?? 0),
                class: 'number',
              })),
              series.length > 1 && {
                head: phrase('together'),
                cell: ({ at }) => write(sums[at] ?? 0),
                class: 'number',
              },
            ]}
          />
        </details>
      )}
    </figure>
  );
}

/** The style has this many colours. More series take them again. */
const colours = 6;

interface Part {
  readonly index: number;
  /** Shares of the scale, from 0 to 1. */
  readonly from: number;
  readonly size: number;
}

/** Stacks the values of one moment. Values of zero have no part. */
export function stack(series: readonly Series[], at: number, top: number): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const [index, { values }] of series.entries()) {
    const size = (values[at] ?? 0) / top;
    if (size <= 0) continue;
    parts.push({ index, from, size });
    from += size;
  }
  return parts;
}

const steps = [1, 2, 5, 10];
const mostSteps = 5;

/** Chooses a scale of at most five steps, each of 1, 2 or 5 units times a power of ten. */
export function chooseScale(
  most: number,
  unit: number,
): { readonly top: number; readonly ticks: readonly number[] } {
  if (most <= 0) return { top: unit, ticks: [0] };
  const units = most / unit;
  const power = 10 ** Math.floor(Math.log10(units / mostSteps));
  const countOf = (step: number) => Math.ceil(units / (step * power) - 1e-9);
  const step = steps.find((each) => countOf(each) <= mostSteps) ?? 10;
  const count = countOf(step);
  const ticks = Array.from({ length: count + 1 }, (_, index) =>
    Number((index * step * power * unit).toFixed(6)),
  );
  return { top: ticks[count] ?? unit, ticks };
}

const dayMs = 86_400_000;

/** Lists days such as `2026-11-15`, both included. */
export function listDays(since: string, until: string): readonly string[] {
  const count = Math.round((Date.parse(until) - Date.parse(since)) / dayMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(Date.parse(since) + index * dayMs).toISOString().slice(0, 10),
  );
}

interface Amount {
  readonly moment: string;
  readonly name: string;
  readonly value: number;
}

/** More could not be told apart. The smaller ones are added up. */
const mostSeries = 6;

/** Sorts amounts into series, the largest first, and adds up what is too much for a chart. */
export function toSeries(
  amounts: readonly Amount[],
  moments: readonly string[],
): readonly Series[] {
  const places = new Map(moments.map((moment, at) => [moment, at]));
  const found = new Map<string, number[]>();
  for (const { moment, name, value } of amounts) {
    const at = places.get(moment);
    if (at === undefined) continue;
    const values = found.get(name) ?? moments.map(() => 0);
    values[at] = (values[at] ?? 0) + value;
    found.set(name, values);
  }
  const sum = (values: readonly number[]) => values.reduce((whole, each) => whole + each, 0);
  const sorted = [...found]
    .map(([name, values]) => ({ name, values }))
    .toSorted((one, other) => sum(other.values) - sum(one.values));
  if (sorted.length <= mostSeries) return sorted;
  const others = sorted.slice(mostSeries - 1);
  return [
    ...sorted.slice(0, mostSeries - 1),
    {
      name: phrase('others', { count: others.length }),
      values: moments.map((_, at) => sum(others.map(({ values }) => values[at] ?? 0))),
    },
  ];
}
