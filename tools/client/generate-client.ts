import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { exitWith } from '../run-tool.ts';
import { Document } from './document.ts';
import { generatedFiles } from './write-operations.ts';

const root = join(import.meta.dirname, '../..');
const directory = join(root, 'client/src');

/**
 * Writes the client's types, table and choices from docs/openapi.json, which stay out of git: they
 * are made by `npm ci` and `npm run describe`.
 */
await exitWith(async () => {
  const text = readFileSync(join(root, 'docs/openapi.json'), 'utf8');
  const document = v.parse(Document, JSON.parse(text));
  for (const [name, write] of Object.entries(generatedFiles)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, write(document));
  }
  return 0;
});
