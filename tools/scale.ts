import { countProduction } from './costs/count-parts.ts';
import { writeScale } from './costs/scale.ts';
import { exitWith } from './run-tool.ts';

/** `npm run -s scale` prints the table of docs/scale.md. */
await exitWith(async () => {
  process.stdout.write(writeScale(countProduction()));
  return 0;
});
