import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareTypes, listResources, writeFiles } from './write-rights.ts';

/** `npm run rights` writes the policies of docs/examples/rights from the templates of all variants. */
const folder = 'docs/examples/rights';

const resources = listResources();
const { missing, unused } = compareTypes(resources);
for (const type of missing) process.stderr.write(`Nothing says how to deploy ${type}.\n`);
for (const type of unused) process.stderr.write(`No template has ${type}.\n`);
mkdirSync(folder, { recursive: true });
const files = writeFiles(resources);
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
for (const [name, text] of files) writeFileSync(join(folder, name), text);
process.stdout.write(`${[...files.keys()].join('\n')}\n`);
process.exitCode = missing.length > 0 || unused.length > 0 ? 1 : 0;
