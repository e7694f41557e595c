import { join } from 'node:path';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { UserIds } from '#lib/config.ts';

const directory = join(import.meta.dirname, '../../../lib/stand-ins');

/**
 * What a bundle holds in the place of a part of the SDK that a function never reaches, or reaches
 * only the beginning of. Each of them says why that is so. Besides their bytes, the first two are
 * parts that the SDK imports when it needs them: for their sake esbuild would wrap nearly every
 * module in a function, which V8 then reads twice (docs/decisions/0004).
 */
const ofSdk: Readonly<Record<string, string>> = {
  '@smithy/core/event-streams': join(directory, 'event-streams.ts'),
  '@aws-sdk/credential-provider-node': join(directory, 'default-credentials.ts'),
  '@aws-sdk/middleware-endpoint-discovery': join(directory, 'endpoint-discovery.ts'),
  '@smithy/core/checksum': join(directory, 'checksums.ts'),
};

/** The connector of each kind, as open-connector.ts imports it; a simulator is always there. */
const connectors = ['nsg', 'slurm', 'unicore'] as const;

/** Functions that talk to HPC systems carry the connectors of the kinds that there are. */
export function connectorStandIns(named: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(
    connectors
      .filter((kind) => !named.has(kind))
      .map((kind) => [`#lib/hpc/${kind}/${kind}-connector.ts`, join(directory, 'connectors.ts')]),
  );
}

/** Where users have the numbers of their issuer, nobody is given one. */
export function userNumberStandIns(userIds: UserIds): Record<string, string> {
  if (userIds === 'assigned') return {};
  return { '#lib/users/assigned/open-user-numbers.ts': join(directory, 'user-numbers.ts') };
}

/** Where a function has no table, its calls are counted in its memory alone. */
export function callCounterStandIns(hasTable: boolean): Record<string, string> {
  if (hasTable) return {};
  return { '#lib/users/calls/open-call-counter.ts': join(directory, 'call-counter.ts') };
}

/** What a function is built for. */
export interface BundledParts {
  readonly catalog: Catalog;
  readonly userIds?: UserIds | undefined;
  readonly hasTable?: boolean;
}

/** For a function of a deployment that serves this catalog to these users. */
export function standInsFor({
  catalog,
  userIds = 'numeric',
  hasTable = true,
}: BundledParts): Readonly<Record<string, string>> {
  return {
    ...ofSdk,
    ...connectorStandIns(new Set(catalog.systems.map(({ connector }) => connector.kind))),
    ...userNumberStandIns(userIds),
    ...callCounterStandIns(hasTable),
    '#lib/catalog/chosen-systems.ts': join(directory, 'chosen-systems.ts'),
    '#lib/reference/read-reference-file.ts': join(directory, 'reference-files.ts'),
    '#lib/telemetry/running-version.ts': join(directory, 'running-version.ts'),
  };
}
