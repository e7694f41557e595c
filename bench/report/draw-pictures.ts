import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTool } from '#tools/run-tool.ts';
import { type Figure, readFigures } from '../measure/figures.ts';
import { drawGrowth } from './draw-growth.ts';
import { drawThroughput } from './draw-throughput.ts';

const help = `Draws what the benchmarks measured, as the pictures of docs/performance.md.

  npm run -s bench:draw -- [--from DIR] [--to DIR]

  --from DIR      the figures: http.json and growth.json (default .bench)
  --to DIR        where throughput.svg and growth.svg go (default docs/pictures)
`;

const pictures: Readonly<Record<string, (figures: readonly Figure[]) => string>> = {
  growth: drawGrowth,
  throughput: drawThroughput,
};
const sources: Readonly<Record<string, string>> = { growth: 'growth', throughput: 'http' };

await runTool(async () => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string', default: '.bench' },
      to: { type: 'string', default: 'docs/pictures' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  mkdirSync(values.to, { recursive: true });
  for (const [name, draw] of Object.entries(pictures)) {
    const source = join(values.from, `${sources[name]}.json`);
    if (!existsSync(source)) throw new Error(`There is no ${source}. First: npm run bench`);
    const target = join(values.to, `${name}.svg`);
    writeFileSync(target, draw(readFigures(source)));
    process.stdout.write(`${target}\n`);
  }
  return 0;
});
