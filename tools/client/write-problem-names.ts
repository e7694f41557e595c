import type { ApiDocument } from './document.ts';
import { heading } from './write-operations.ts';

/** The types of problems that the service can answer with. */
export function writeProblemNames({ components }: ApiDocument): string {
  const names = [
    ...new Set(Object.keys(components.responses).flatMap((key) => key.split('.'))),
  ].sort();
  return `${heading}export type ProblemName =
${names.map((name) => `  | '${name}'`).join('\n')};
`;
}
