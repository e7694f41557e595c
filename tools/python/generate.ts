import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type ApiDocument, Document } from '../client/document.ts';
import { writeClassName } from './names.ts';
import { heading, writeModels } from './write-models.ts';
import { writePythonOperations } from './write-operations.ts';

/**
 * Returns the text of each generated module of the Python package: models, problems and operations
 * from the description of the API, and the plain modules from the asynchronous ones in the folder.
 */
export function generatePython(description: string, folder: string): Map<string, string> {
  const document = v.parse(Document, JSON.parse(description));
  const modules = readdirSync(join(folder, '_async')).filter((name) => name.endsWith('.py'));
  const models = writeModels(document);
  return new Map([
    ['models.py', models],
    ['problems.py', writeProblems(document, readMembers(models))],
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
  [/\bAwaitable, |, Awaitable$/gm, ''],
  [/\bAwaitable\[((?:[^[\]]|\[[^[\]]*\])*)\]/g, '$1'],
  [/\bAsync([A-Z]\w*)/g, '$1'],
  [/(\w)_async\b/g, '$1'],
];

/** Makes a module of plain Python from an asynchronous one, line by line. */
export function writeSync(source: string, name: string): string {
  const text = words.reduce((changed, [from, to]) => changed.replaceAll(from, to), source);
  return `# Made by \`npm run describe\` from _async/${name}. Do not edit.\n${text.replace(/^# Made by .*\n/, '')}`;
}

/** Returns the types of the members that only some types of problem have, from the class of all. */
function readMembers(models: string): Map<string, string> {
  const [, body = ''] = /\nclass Problem\(Model\):\n((?: {4}.*\n)+)/.exec(models) ?? [];
  const members = [...body.matchAll(/^ {4}(\w+): (.*) \| None = None$/gm)];
  return new Map(
    members.map(([, name = '', type = '']) => [
      name,
      type.replaceAll(/\b(?!Literal)[A-Z]\w+/g, (found) => `models.${found}`),
    ]),
  );
}

/** What every exception has already, under these names. */
const common = new Set(['errors', 'request_id']);

/** Writes the members that the meaning of a problem names, outside of parentheses. */
function writeMembers(meaning: string, types: ReadonlyMap<string, string>): string {
  const [told = ''] = meaning.replaceAll(/\([^)]*\)/g, '').split('What to do');
  const names = [...told.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  return names
    .filter((name) => types.has(name) && !common.has(name))
    .map(
      (name) => `
    @property
    def ${name}(self) -> ${types.get(name)}:
        return need(self.problem.${name}, "${name}")
`,
    )
    .join('');
}

/** Writes an exception class for each type of problem, with its meaning as docstring. */
function writeProblems({ components }: ApiDocument, types: ReadonlyMap<string, string>): string {
  const meanings = new Map<string, string>();
  for (const [key, response] of Object.entries(components.responses)) {
    const lines = describe(response);
    for (const name of key.split('.'))
      meanings.set(name, meanings.get(name) ?? lines.get(name) ?? '');
  }
  const names = [...meanings.keys()].sort();
  const classes = names.map(
    (name) => `
class ${writeClassName(name)}(SlipwayProblem):
${writeDocstring(meanings.get(name) ?? '')}
    type_name = "${name}"
${writeMembers(meanings.get(name) ?? '', types)}`,
  );
  const rows = names.map((name) => `    "${name}": ${writeClassName(name)},`);
  return `${heading}"""An exception class for each type of problem (docs/problems.md)."""

from __future__ import annotations

from typing import Literal

from . import models
from ._problem import SlipwayProblem, need

${classes.join('\n')}

by_name: dict[str, type[SlipwayProblem]] = {
${rows.join('\n')}
}
`;
}

/** Reads what each problem means from the description of an answer. */
function describe(response: unknown): Map<string, string> {
  const { description = '' } = Object(response);
  const lines = [...String(description).matchAll(/^- `([\w-]+)`: (.*)$/gm)];
  return new Map(lines.map(([, name = '', meaning = '']) => [name, meaning.replaceAll('**', '')]));
}

const width = 92;

function writeDocstring(meaning: string): string {
  if (meaning === '') return '';
  const text = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`.replaceAll('\\', '\\\\');
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  if (lines.length === 1 && text.length < width - 4) return `    """${text}"""\n`;
  return `    """\n${lines.map((line) => `    ${line}`).join('\n')}\n    """\n`;
}
