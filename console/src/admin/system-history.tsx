import {
  type SystemDay,
  sumDays,
  writeAnswered,
} from '#client/src/format/systems/write-answered.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import { writeDuration } from '#client/src/format/times/duration.ts';
import { Table } from '../parts/table.tsx';
import { phrase } from './words.ts';

const columnWidth = 10;
const height = 40;
/** A part that is there is at least this high, because a short outage matters more than its size. */
const leastHeight = 5;

/**
 * Draws a bar for each day, with the share of its minutes in which a system was down, slow and up.
 * A day without a check has no bar. Screen readers get the sentence and the table.
 */
export function SystemHistory({ days }: { readonly days: readonly SystemDay[] }) {
  const checked = days.filter(isChecked);
  if (checked.length === 0) {
    return <p class="quiet">{phrase('notCheckedInDays', { count: days.length })}</p>;
  }
  return (
    <figure class="chart history">
      <svg
        viewBox={`0 0 ${days.length * columnWidth} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {days.map((each, at) => (
          <g key={each.day}>
            <title>{`${writeDay(each.day)}: ${describeDay(each)}`}</title>
            <rect
              class="ground"
              x={at * columnWidth + 1}
              y={0}
              width={columnWidth - 2}
              height={height}
            />
            {stackDay(each).map(({ kind, from, size }) => (
              <rect
                key={kind}
                class={`was-${kind}`}
                x={at * columnWidth + 1}
                y={height - from - size}
                width={columnWidth - 2}
                height={size}
              />
            ))}
          </g>
        ))}
      </svg>
      <figcaption>{describeHistory(days)}</figcaption>
      <details>
        <summary>{phrase('showAsTable')}</summary>
        <Table
          rows={checked.toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { head: phrase('day'), cell: ({ day }) => writeDay(day) },
            { head: phrase('up'), cell: ({ up }) => writeMinutes(up), class: 'number' },
            { head: phrase('slow'), cell: ({ slow }) => writeMinutes(slow), class: 'number' },
            { head: phrase('down'), cell: ({ down }) => writeMinutes(down), class: 'number' },
          ]}
        />
      </details>
    </figure>
  );
}

function isChecked({ up, slow, down }: SystemDay): boolean {
  return up + slow + down > 0;
}

function writeMinutes(minutes: number): string {
  return minutes === 0 ? '' : writeDuration(minutes * 60);
}

/** Says how often a system answered, and for how long it was slow or down. */
export function describeHistory(days: readonly SystemDay[]): string {
  const { slow, down } = sumDays(days);
  const parts = [
    ...(slow > 0 ? [phrase('slowFor', { time: writeMinutes(slow) })] : []),
    ...(down > 0 ? [phrase('downFor', { time: writeMinutes(down) })] : []),
  ];
  const answered = { share: writeAnswered(days), count: days.filter(isChecked).length };
  return parts.length === 0
    ? phrase('answered', answered)
    : phrase('answeredBut', { ...answered, but: parts.join(', ') });
}

function describeDay(day: SystemDay): string {
  if (!isChecked(day)) return phrase('notChecked');
  return [
    ...(day.up > 0 ? [phrase('wasUp', { time: writeMinutes(day.up) })] : []),
    ...(day.slow > 0 ? [phrase('wasSlow', { time: writeMinutes(day.slow) })] : []),
    ...(day.down > 0 ? [phrase('wasDown', { time: writeMinutes(day.down) })] : []),
  ].join(', ');
}

interface Part {
  readonly kind: 'up' | 'slow' | 'down';
  readonly from: number;
  readonly size: number;
}

/** Stacks what a day was, the worst lowest, where the eye looks for it. */
export function stackDay(day: SystemDay): readonly Part[] {
  const all = day.up + day.slow + day.down;
  const parts: Part[] = [];
  let from = 0;
  for (const kind of ['down', 'slow', 'up'] as const) {
    if (day[kind] === 0) continue;
    const wanted =
      kind === 'up' ? height - from : Math.max(leastHeight, (height * day[kind]) / all);
    const size = Math.min(wanted, height - from);
    if (size > 0) parts.push({ kind, from, size });
    from += size;
  }
  return parts;
}
