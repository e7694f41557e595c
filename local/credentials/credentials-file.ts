import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { systemKinds } from '#lib/catalog/kinds/system-kinds.ts';
import { readEnvironment, SecretsEnvironment } from '#lib/config.ts';
import type { Credentials, OpenCredentials } from '#lib/hpc/credentials.ts';

const CredentialsBySystem = v.pipe(
  v.string(),
  v.parseJson(),
  v.record(v.string(), v.record(v.string(), v.string())),
);

/**
 * Reads the credentials of HPC systems from a file in the state directory, instead of Secrets
 * Manager. The file must be private. Checks all systems first and reports every problem in one
 * error.
 */
export function openCredentialsFile(directory: string, catalog: Catalog): OpenCredentials {
  const file = join(directory, 'credentials.json');
  const { HPC_SECRETS: secrets } = readEnvironment(SecretsEnvironment);
  const problems = catalog.systems
    .filter(({ name }) => secrets[name] === undefined)
    .flatMap((system) => findProblem(file, system));
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
  return (hpc) => {
    const system = findSystem(catalog, hpc);
    // Read on every use, so that a new token takes effect at once.
    return { read: async () => readFor(file, system), forget: () => undefined };
  };
}

function findProblem(file: string, system: HpcSystem): string[] {
  try {
    readFor(file, system);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function readFor(file: string, { name, connector, runsAs = 'service' }: HpcSystem): Credentials {
  const { credentials: examples } = systemKinds[connector.kind];
  if (!examples) return {};
  const credentials = readFile(file)[name];
  if (credentials) return credentials;
  const way = 'reach' in connector ? 'ssh' : runsAs;
  const example = JSON.stringify({ [name]: examples[way] ?? examples.service });
  throw new Error(
    `The credentials of ${name} are missing. Write them into ${file} (mode 600), for example: ${example}`,
  );
}

/** Never shows the parser's message, because it could contain a secret. */
function readFile(file: string): v.InferOutput<typeof CredentialsBySystem> {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return {};
  if ((mode & 0o077) !== 0) {
    throw new Error(
      `Others can read or change ${file}, which holds credentials. Run: chmod 600 ${file}`,
    );
  }
  const result = v.safeParse(CredentialsBySystem, readFileSync(file, 'utf8'));
  if (result.success) return result.output;
  throw new Error(
    `${file} must be a JSON object that has, for the name of each system, an object of texts.`,
  );
}
