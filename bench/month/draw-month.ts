export interface Row {
  readonly name: string;
  /** One value a day. */
  readonly values: readonly number[];
  readonly unit: string;
}

const width = 720;
const rowHeight = 90;
const margin = { left: 12, right: 12, top: 24, bottom: 22 };

/** Draws rows of bars over the days of the month, one row below the other, as an SVG. */
export function drawMonth(rows: readonly Row[]): string {
  const height = margin.top + rows.length * rowHeight + margin.bottom;
  const days = Math.max(...rows.map(({ values }) => values.length));
  const step = (width - margin.left - margin.right) / days;
  const bars = rows.flatMap(({ name, values, unit }, place) => {
    const most = Math.max(...values, 1);
    const floor = margin.top + (place + 1) * rowHeight - 12;
    const label = `<text x="${margin.left}" y="${floor - rowHeight + 22}">${name}, at most ${format(most)} ${unit}</text>`;
    return [
      label,
      ...values.map((value, day) => {
        const tall = (value / most) * (rowHeight - 42);
        const x = margin.left + day * step;
        return `<rect x="${x.toFixed(1)}" y="${(floor - tall).toFixed(1)}" width="${(step - 2).toFixed(1)}" height="${tall.toFixed(1)}"/>`;
      }),
    ];
  });
  const weeks = Array.from({ length: Math.floor(days / 7) }, (_, week) => {
    const x = margin.left + week * 7 * step;
    return `<text x="${x.toFixed(1)}" y="${height - 6}">day ${week * 7 + 1}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>A month of a centre, by day</title>',
    '<style>text { fill: #555 } rect { fill: #2f6f9f } @media (prefers-color-scheme: dark) { text { fill: #bbb } rect { fill: #6fb1de } }</style>',
    ...bars,
    ...weeks,
    '</svg>\n',
  ].join('\n');
}

function format(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
