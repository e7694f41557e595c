import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Document } from '../client/document.ts';
import { writeModels } from './write-models.ts';
import { writePythonOperations } from './write-operations.ts';
import { writeProblems } from './write-problems.ts';
import { writeSync } from './write-sync.ts';

/**
 * Returns the text of each generated module of the Python package: models, problems and operations
 * from the description of the API, and the plain modules from the asynchronous ones in the folder.
 */
export function generatePython(description: string, folder: string): Map<string, string> {
  const document = v.parse(Document, JSON.parse(description));
  const modules = readdirSync(join(folder, '_async')).filter((name) => name.endsWith('.py'));
  return new Map([
    ['models.py', writeModels(document)],
    ['problems.py', writeProblems(document)],
    ['_async/operations.py', writePythonOperations(document)],
    ...modules.map((name): [string, string] => [
      `_sync/${name}`,
      writeSync(readFileSync(join(folder, '_async', name), 'utf8'), name),
    ]),
  ]);
}
