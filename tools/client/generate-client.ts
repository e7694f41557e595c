import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { exitWith } from '../run-tool.ts';
import { Document } from './document.ts';
import { generatedFiles } from './write-operations.ts';

const root = join(import.meta.dirname, '../..');
const directory = join(root, 'client/src');

/**
 * `npm run client:generate` writes the client's types, table and choices from docs/openapi.json.
 */
await exitWith(async () => {
  const text = readFileSync(join(root, 'docs/openapi.json'), 'utf8');
  const document = v.parse(Document, JSON.parse(text));
  for (const [name, write] of Object.entries(generatedFiles)) {
    const file = join(directory, name);
    writeFileSync(file, write(document));
    execFileSync('biome', ['format', '--write', file], { stdio: 'ignore' });
  }
  return 0;
});
