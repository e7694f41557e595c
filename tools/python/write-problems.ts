import type { ApiDocument } from '../client/document.ts';
import { writeClassName } from './names.ts';
import { heading } from './write-models.ts';

/** Writes an exception class for each type of problem, with its meaning as docstring. */
export function writeProblems({ components }: ApiDocument): string {
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
`,
  );
  const rows = names.map((name) => `    "${name}": ${writeClassName(name)},`);
  return `${heading}"""An exception class for each type of problem (docs/problems.md)."""

from __future__ import annotations

from ._errors import SlipwayProblem

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
