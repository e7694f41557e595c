import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { writeEventExamples } from '../events/told-events.ts';
import { putBetween } from '../put-between.ts';
import { runTool } from '../run-tool.ts';

const root = join(import.meta.dirname, '../..');

const help = `Writes docs/openapi.json from the functions' declarations, and the examples of docs/events.md.

  npm run describe
`;

await runTool(help, {}, async () => {
  // Functions read the catalog while they load.
  chooseSystems(readCatalog().systems);
  const { writeDescription } = await import('./write-description.ts');
  const document = await writeDescription();
  const path = join(root, 'docs/openapi.json');
  writeFileSync(path, document);
  execFileSync('biome', ['format', '--write', path], { stdio: 'ignore' });
  const page = join(root, 'docs/events.md');
  const told = putBetween(readFileSync(page, 'utf8'), 'npm run describe', writeEventExamples());
  writeFileSync(page, told);
  process.stdout.write(
    `docs/openapi.json: ${Object.keys(JSON.parse(document).paths).length} paths\n`,
  );
  return 0;
});
