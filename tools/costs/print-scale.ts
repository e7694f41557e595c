import { exitWith } from '../run-tool.ts';
import { countShipped } from './count-parts.ts';
import { writeScale } from './scale.ts';

/** `npm run -s scale` prints the table of docs/scale.md. */
await exitWith(async () => {
  process.stdout.write(writeScale(countShipped()));
  return 0;
});
