import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Document } from '../client/document.ts';
import { writeModels } from './write-models.ts';
import { writePythonOperations } from './write-operations.ts';
import { writeProblems } from './write-problems.ts';

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

/** The words of asynchronous Python, and those of plain Python in their place. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|with|for) /g, '$1 '],
  [/\bawait /g, ''],
  [/\b__a(enter|exit|iter|next)__\b/g, '__$1__'],
  [/\baclose\b/g, 'close'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\bAwaitable, /g, ''],
  [/\bAwaitable\[((?:[^[\]]|\[[^[\]]*\])*)\]/g, '$1'],
  [/\bAsync([A-Z]\w*)/g, '$1'],
  [/(\w)_async\b/g, '$1'],
];

/** Makes a module of plain Python from an asynchronous one, line by line. */
export function writeSync(source: string, name: string): string {
  const text = words.reduce((changed, [from, to]) => changed.replaceAll(from, to), source);
  return `# Made by \`npm run describe\` from _async/${name}. Do not edit.\n${text.replace(/^# Made by .*\n/, '')}`;
}
