import { type RawRow, wrongRow } from './row.ts';

/** A JSON object on each line; lines with nothing on them are left out, and counted. */
export function readJsonLines(text: string): RawRow[] {
  return text
    .split('\n')
    .flatMap((content, index) => (content.trim() === '' ? [] : [readLine(content, index + 1)]));
}

function readLine(content: string, line: number): RawRow {
  const value = parseJson(content);
  if (value === undefined) return wrongRow(line, 'It is not valid JSON.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return wrongRow(line, 'It must be a JSON object.');
  }
  return { line, output: value };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
