import { relative } from 'node:path';
import type { Mutant } from './run-stryker.ts';

const longest = 160;

/** `lib/table/keys.ts:12:5  what stood there  ->  what took its place`, on one line. */
export function describeMutant(mutant: Mutant, source: string): string {
  const { start, end } = mutant.location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const original = lines
    .map((line, index) => (index === last ? line.slice(0, end.column - 1) : line))
    .map((line, index) => (index === 0 ? line.slice(start.column - 1) : line))
    .join('\n');
  const place = `${relative('.', mutant.fileName)}:${start.line}:${start.column}`;
  const unmet = mutant.status === 'NoCoverage' ? '  (met by no test)' : '';
  return `${place}  ${shorten(original)}  ->  ${shorten(mutant.replacement)}${unmet}`;
}

function shorten(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
