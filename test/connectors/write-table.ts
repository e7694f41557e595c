import { readFileSync, writeFileSync } from 'node:fs';
import { putBetween } from '#tools/put-between.ts';
import { runTool } from '#tools/run-tool.ts';
import { tableMark, writeTable } from './table.ts';

const page = 'docs/connectors.md';

const help = `Writes the table of scenes and kinds of systems into ${page}.

  npm run connectors:table
`;

await runTool(help, {}, async () => {
  writeFileSync(page, putBetween(readFileSync(page, 'utf8'), tableMark, writeTable()));
  return 0;
});
