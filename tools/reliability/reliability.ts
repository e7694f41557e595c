import { readFileSync, writeFileSync } from 'node:fs';
import { runTool } from '../run-tool.ts';
import { fillPage, fillReadme, readRecords } from './write-page.ts';

const help = `Writes docs/reliability.md and the README's sentence from docs/reliability/*.json.

  npm run reliability
`;

await runTool(help, {}, async () => {
  const records = readRecords();
  for (const [page, fill] of [
    ['docs/reliability.md', fillPage],
    ['README.md', fillReadme],
  ] as const) {
    writeFileSync(page, fill(readFileSync(page, 'utf8'), records));
  }
  process.stdout.write(`docs/reliability.md shows ${records.runs.length} suites.\n`);
  return 0;
});
