import { readFileSync, writeFileSync } from 'node:fs';
import { putBetween } from '../put-between.ts';
import { synthesizeVariant, variants } from './make-app.ts';
import { measureStacks, writeFigures } from './measure-stacks.ts';

/** `npm run synth:figures` writes the sizes of the stacks into docs/scale.md. */
const page = 'docs/scale.md';

const figures = new Map(
  Object.entries(variants).map(([name, context]) => [
    name,
    measureStacks(synthesizeVariant(context)),
  ]),
);
const table = writeFigures(figures);
writeFileSync(page, putBetween(readFileSync(page, 'utf8'), 'npm run synth:figures', table));
process.stdout.write(`${table}\n`);
