// Draws the results without any library: a PNG of the pattern, and an SVG chart of its growth.

import { crc32, deflateSync } from 'node:zlib';

// Dark blue where there is nothing, over teal and yellow to red where there is most.
const colours = [
  [13, 17, 56],
  [20, 92, 122],
  [58, 174, 152],
  [242, 213, 116],
  [214, 82, 62],
];

// In 64 shades, because few colours make a small file.
function colourOf(share) {
  const shade = Math.round(Math.max(0, share) * 63) / 63;
  const place = Math.min(0.9999, shade) * (colours.length - 1);
  const [from, to] = [colours[Math.floor(place)], colours[Math.floor(place) + 1]];
  return from.map((part, index) => Math.round(part + (to[index] - part) * (place % 1)));
}

// A PNG is a signature and three chunks: the size, the compressed pixels, and the end. Each cell
// becomes a square of `scale` pixels.
export function writePicture(values, size, scale = 2) {
  const most = values.reduce((a, b) => Math.max(a, b), 1e-9);
  const width = size * scale;
  const pixels = Buffer.alloc(width * (1 + 3 * width));
  for (let y = 0; y < width; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const value = values[Math.floor(y / scale) * size + Math.floor(x / scale)];
      // Each line begins with a byte that says "not filtered".
      pixels.set(colourOf(value / most), y * (1 + 3 * width) + 1 + 3 * x);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header.set([8, 2], 8); // 8 bits for each of red, green and blue
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}

export function drawChart(growth) {
  const [width, height, margin] = [640, 320, 44];
  const lastStep = growth.at(-1).step;
  const most = Math.max(...growth.map((row) => row.covered), 0.01);
  const x = (step) => margin + (step / lastStep) * (width - 2 * margin);
  const y = (share) => height - margin - (share / most) * (height - 2 * margin);
  const points = growth.map((row) => `${x(row.step).toFixed(1)},${y(row.covered).toFixed(1)}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
  <rect width="${width}" height="${height}" fill="white"/>
  <path d="M ${margin} ${margin} V ${height - margin} H ${width - margin}" fill="none" stroke="#888"/>
  <polyline points="${points.join(' ')}" fill="none" stroke="#145c7a" stroke-width="2.5"/>
  <text x="${margin}" y="${margin - 14}">covered: up to ${(100 * most).toFixed(1)} %</text>
  <text x="${width - margin}" y="${height - 16}" text-anchor="end">step ${lastStep}</text>
</svg>
`;
}
