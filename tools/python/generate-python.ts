import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith } from '../run-tool.ts';
import { generatePython } from './generate.ts';

const root = join(import.meta.dirname, '../..');

/** `npm run describe` writes the generated modules of python/src/slipway_hpc. */
await exitWith(async () => {
  const folder = join(root, 'python/src/slipway_hpc');
  const description = readFileSync(join(root, 'docs/openapi.json'), 'utf8');
  // Twice: the plain modules are made from the asynchronous ones, one of which is generated.
  for (let round = 0; round < 2; round += 1) {
    for (const [name, text] of generatePython(description, folder)) {
      writeFileSync(join(folder, name), text);
    }
  }
  return 0;
});
