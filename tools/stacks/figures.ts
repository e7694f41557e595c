import { readFileSync, writeFileSync } from 'node:fs';
import { measureStacks } from './measure-stacks.ts';
import { putBetween } from './put-between.ts';
import { synthesizeVariant } from './synthesize-variant.ts';
import { variants } from './variants.ts';
import { writeFigures } from './write-figures.ts';

/** `npm run synth:figures`: how large the stacks are, into docs/deploy.md. */
const page = 'docs/deploy.md';

const figures = new Map(
  Object.entries(variants).map(([name, context]) => [
    name,
    measureStacks(synthesizeVariant(context)),
  ]),
);
const table = writeFigures(figures);
writeFileSync(page, putBetween(readFileSync(page, 'utf8'), 'npm run synth:figures', table));
process.stdout.write(`${table}\n`);
