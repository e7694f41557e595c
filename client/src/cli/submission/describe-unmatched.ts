import { readFile } from 'node:fs/promises';
import type { BatchEstimate } from '../../index.ts';
import { findNamesInBraces } from '../../jobs/names-in-braces.ts';
import type { SubmissionOnNode } from '../../node/index.ts';
import { parseCsv } from '../../rows/parse-csv.ts';
import { suggest } from '../terminal/explain-problem.ts';
import { cleanText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';
import type { TableSource } from './prepare-input.ts';

const indexName = '{index}';

/** Tells whoever forgot the table, or the count, that the braces of a single job stay. */
export function describeStray({ command = '', title }: SubmissionOnNode): string[] {
  const names = findNamesInBraces([{ program: command, title }]).map(cleanText);
  const columns = names.filter((name) => name !== indexName);
  return [
    ...(columns.length < names.length ? [phrase('jobs.countFills', { name: indexName })] : []),
    ...(columns.length > 0 ? [phrase('jobs.noTableFills', { names: columns.join(', ') })] : []),
  ];
}

/** Describes the names that nothing fills in a batch, with those that were probably meant. */
export async function describeUnmatched(
  { preview }: BatchEstimate,
  {
    count,
    table,
  }: { readonly count?: number | undefined; readonly table?: TableSource | undefined },
): Promise<string[]> {
  const names = findNamesInBraces(preview).map(cleanText);
  if (names.length === 0) return [];
  const known = [indexName, ...(await readColumns(table)).map((column) => `{${column}}`)];
  return names.map((name) => {
    const unknown =
      count === undefined
        ? phrase('jobs.noColumnHas', { name })
        : phrase('jobs.onlyIndexIsKnown', { name, index: indexName });
    return [unknown, suggest(name, known)].filter(Boolean).join(' ');
  });
}

/** Reads the first line of a table. A table within a zip is not searched for. */
async function readColumns(table: TableSource | undefined): Promise<readonly string[]> {
  if (table?.path === undefined) return [];
  // The service reads tables by rules of its own; here they only help to suggest a name.
  return readFile(table.path, 'utf8').then(
    (text) => parseCsv(text).names,
    () => [],
  );
}
