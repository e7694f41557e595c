import { readFileSync, writeFileSync } from 'node:fs';
import { fillPage, fillReadme, readRecords } from './write-page.ts';

/** `npm run reliability` writes docs/reliability.md and README's sentence from docs/reliability/*.json. */
const records = readRecords();
for (const [page, fill] of [
  ['docs/reliability.md', fillPage],
  ['README.md', fillReadme],
] as const) {
  writeFileSync(page, fill(readFileSync(page, 'utf8'), records));
}
process.stdout.write(`docs/reliability.md shows ${records.runs.length} suites.\n`);
