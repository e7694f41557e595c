import { type CsvRecord, longestCell, mostCells } from '#client/src/rows/read-records.ts';

const explanations = {
  quotes:
    'The quotes are wrong: a quote must enclose the whole cell, and quotes inside are doubled.',
  length: `It has a cell of more than ${longestCell} characters. Is a quote missing?`,
  cells: `It has more than ${mostCells} cells.`,
} as const;

/** Says why a record cannot be read, or returns undefined for one that can. */
export function explainFault({ fault }: CsvRecord): string | undefined {
  return fault && `${explanations[fault]} The rest of the file was not read.`;
}
