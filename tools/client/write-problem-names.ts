import type { ApiDocument } from './document.ts';
import { heading } from './write-operations.ts';
import { writeType } from './write-type.ts';

/** The types of problems that the service can answer with, and what a problem looks like. */
export function writeProblemNames({ components }: ApiDocument): string {
  const names = [
    ...new Set(Object.keys(components.responses).flatMap((key) => key.split('.'))),
  ].sort();
  return `${heading}export type ProblemName =
${names.map((name) => `  | '${name}'`).join('\n')};

export type ProblemShape = ${writeType(components.schemas.Problem ?? {})};
`;
}
