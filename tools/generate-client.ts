import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Document } from './client/document.ts';
import {
  writeChoices,
  writeOperations,
  writeProblemNames,
  writeTable,
} from './client/write-operations.ts';
import { exitWith } from './run-tool.ts';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'client/src');
const directory = join(sources, 'generated');
const problemNames = join(sources, 'problems/problem-names.ts');

/**
 * `npm run client:generate` writes the client's types, table and choices from docs/openapi.json.
 */
await exitWith(async () => {
  const text = readFileSync(join(root, 'docs/openapi.json'), 'utf8');
  const document = v.parse(Document, JSON.parse(text));
  writeFileSync(join(directory, 'operations.ts'), writeOperations(document));
  writeFileSync(join(directory, 'operation-table.ts'), writeTable(document));
  writeFileSync(join(directory, 'choices.ts'), writeChoices(document));
  writeFileSync(problemNames, writeProblemNames(document));
  execFileSync('biome', ['format', '--write', directory, problemNames], { stdio: 'ignore' });
  return 0;
});
