import { countProduction } from '../costs/count-production.ts';
import { runTool } from '../run-tool.ts';
import { writeScale } from './write-scale.ts';

/** `npm run -s scale`: the table of docs/scale.md. */
await runTool(async () => {
  process.stdout.write(writeScale(countProduction()));
  return 0;
});
