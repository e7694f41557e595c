/** Sizes in the units of the picture, which is scaled to the page. */
export const pictureWidth = 760;

/** A page may be light or dark: the picture brings its own ground, and follows what the reader likes. */
const style = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328; }
  .ground { fill: #ffffff; stroke: #d1d9e0; }
  .title { font-size: 17px; font-weight: 600; }
  .quiet { fill: #59636e; }
  .strong { font-weight: 600; }
  .line { stroke: #d1d9e0; }
  .limit { stroke: #cf222e; stroke-dasharray: 6 4; }
  .limit-text { fill: #cf222e; }
  .a { fill: #0969da; } .a-line { stroke: #0969da; }
  .b { fill: #bc4c00; } .b-line { stroke: #bc4c00; }
  .c { fill: #1a7f37; } .c-line { stroke: #1a7f37; }
  .pale { opacity: 0.4; }
  .series { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .ground { fill: #0d1117; stroke: #3d444d; }
    .quiet { fill: #9198a1; }
    .line { stroke: #3d444d; }
    .limit { stroke: #f85149; } .limit-text { fill: #f85149; }
    .a { fill: #4493f8; } .a-line { stroke: #4493f8; }
    .b { fill: #f0883e; } .b-line { stroke: #f0883e; }
    .c { fill: #3fb950; } .c-line { stroke: #3fb950; }
  }`;

export interface Picture {
  readonly title: string;
  readonly subtitle: string;
  readonly height: number;
  readonly content: readonly string[];
}

export function writePicture({ title, subtitle, height, content }: Picture): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pictureWidth} ${height}" width="${pictureWidth}" height="${height}" role="img" aria-labelledby="title subtitle">
<title id="title">${escapeText(title)}</title>
<desc id="subtitle">${escapeText(subtitle)}</desc>
<style>${style}
</style>
<rect class="ground" x="0.5" y="0.5" width="${pictureWidth - 1}" height="${height - 1}" rx="8"/>
${[writeText(24, 34, title, 'title'), writeText(24, 56, subtitle, 'quiet'), ...content].join('\n')}
</svg>
`;
}

export type Anchor = 'start' | 'middle' | 'end';

export function writeText(
  x: number,
  y: number,
  text: string,
  look = '',
  anchor: Anchor = 'start',
): string {
  return `<text class="${look}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeText(text)}</text>`;
}

export function writeLine(
  from: readonly [number, number],
  to: readonly [number, number],
  look: string,
): string {
  const [x1, y1] = from.map(round);
  const [x2, y2] = to.map(round);
  return `<line class="${look}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

export function writeBar(x: number, y: number, width: number, height: number, look: string) {
  return `<rect class="${look}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" rx="2"/>`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
