import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { exitWith } from '../run-tool.ts';
import { buildJsonSchema } from './build-json-schema.ts';

const file = 'docs/catalog.schema.json';

/** `npm run catalog:schema` writes docs/catalog.schema.json. Run it after changing the schema. */
await exitWith(async () => {
  writeFileSync(file, JSON.stringify(buildJsonSchema()));
  const { status } = spawnSync('biome', ['format', '--write', file], { stdio: 'inherit' });
  return status ?? 1;
});
