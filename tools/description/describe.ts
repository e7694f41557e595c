import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { runTool } from '../run-tool.ts';

const root = join(import.meta.dirname, '../..');

const help = `Writes docs/openapi.json from the functions' declarations.

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
  process.stdout.write(
    `docs/openapi.json: ${Object.keys(JSON.parse(document).paths).length} paths\n`,
  );
  return 0;
});
