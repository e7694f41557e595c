import type { ApiDocument } from './document.ts';
import { heading, writeImport } from './write-operations.ts';

/** A class for each type of problem that the service can answer with. */
export function writeProblemClasses({ components }: ApiDocument): string {
  const names = [
    ...new Set(Object.keys(components.responses).flatMap((key) => key.split('.'))),
  ].sort();
  const classes = names.map((name) => `export const ${className(name)} = nameProblem('${name}');`);
  return `${heading}${writeImport('{ nameProblem }', '../errors.ts')}

${classes.join('\n')}
`;
}

/** `quota-exceeded` is QuotaExceeded. */
function className(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
