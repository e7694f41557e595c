import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogEnvironment, readEnvironment } from '#lib/config.ts';
import { openIssuer } from '#local/issuer.ts';
import {
  audience,
  busName,
  inputsBucket,
  issuer as issuerName,
  resultsBucket,
  stateDirectory,
  tableName,
} from '#local/settings.ts';
import { exitWith } from '../run-tool.ts';

const dynamoDbEndpoint = 'http://127.0.0.1:8000';

/**
 * `npm run sam:prepare` writes the template of the stage `sam`, which uses the laptop's issuer and
 * table, and the environment that `sam local` cannot work out by itself (docs/sam-local.md).
 */
await exitWith(async () => {
  const { jwks, cursorSecret, passSecret } = openIssuer();
  const { CATALOG: catalog } = readEnvironment(CatalogEnvironment);
  const context = {
    stage: 'sam',
    issuer: issuerName,
    audience,
    jwks,
    dynamoDbEndpoint,
    ...(catalog !== undefined && { catalog }),
  };
  const settings = Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { status } = spawnSync('cdk', ['synth', '--quiet', ...settings], { stdio: 'inherit' });
  if (status !== 0) return 1;
  const file = join(stateDirectory, 'sam-environment.json');
  const Parameters = {
    TABLE_NAME: tableName,
    INPUTS_BUCKET: inputsBucket,
    RESULTS_BUCKET: resultsBucket,
    EVENT_BUS_NAME: busName,
    CURSOR_SECRET: cursorSecret,
    PASS_SECRET: passSecret,
    PUBLIC_URL: 'http://127.0.0.1:3000',
    HPC_SECRETS: '{}',
  };
  writeFileSync(file, `${JSON.stringify({ Parameters }, null, 2)}\n`, { mode: 0o600 });
  process.stdout.write(`Wrote cdk.out/slipway-sam-service.template.json and ${file}\n`);
  return 0;
});
