import { readFileSync, writeFileSync } from 'node:fs';
import { runTool } from './run-tool.ts';
import { measureStacks } from './stacks/measure-stacks.ts';
import { putBetween } from './stacks/put-between.ts';
import { synthesizeVariant } from './stacks/synthesize-variant.ts';
import { variants } from './stacks/variants.ts';
import { writeFigures } from './stacks/write-figures.ts';

const page = 'docs/deploy.md';

/** `npm run synth:figures`: how large the stacks are, into docs/deploy.md. */
await runTool(async () => {
  const figures = new Map(
    Object.entries(variants).map(([name, context]) => [
      name,
      measureStacks(synthesizeVariant(context)),
    ]),
  );
  const table = writeFigures(figures);
  writeFileSync(page, putBetween(readFileSync(page, 'utf8'), 'npm run synth:figures', table));
  process.stdout.write(`${table}\n`);
  return 0;
});
