import { join } from 'node:path';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import type { KindTraits } from '#lib/catalog/kinds/system-kind.ts';
import { type KindName, kindNames } from '#lib/catalog/kinds/system-kinds.ts';
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

/** Leaves out the connectors of kinds that no system is of, by the names in open-connector.ts. */
export function connectorStandIns(named: ReadonlySet<string>): Record<string, string> {
  const leftOut = join(directory, 'left-out-connector.ts');
  return Object.fromEntries(
    kindNames
      .filter((kind) => !named.has(kind))
      .map((kind) => [`#lib/hpc/${kind}/${kind}-connector.ts`, leftOut]),
  );
}

/** Copies what a bundle needs to know about the kinds of its systems (lib/stand-ins/kind-traits.ts). */
export function copyTraits({ systems }: Catalog): Partial<Record<KindName, KindTraits>> {
  return Object.fromEntries(systems.map((system) => [system.connector.kind, pickTraits(system)]));
}

function pickTraits(system: HpcSystem): KindTraits {
  const traits = traitsOf(system);
  return {
    stages: traits.stages,
    runtimeUnitSeconds: traits.runtimeUnitSeconds,
    simulated: traits.simulated,
    sendsResults: traits.sendsResults,
    countsCancelledTime: traits.countsCancelledTime,
    cancelKeepsOutput: traits.cancelKeepsOutput,
  };
}

/** Where users have the numbers of their issuer, nobody is given one. */
export function userNumberStandIns(userIds: UserIds): Record<string, string> {
  if (userIds === 'assigned') return {};
  return { '#lib/users/user-numbers.ts': join(directory, 'user-numbers.ts') };
}

/** Where a function has no table, its calls are counted in its memory alone. */
export function callCounterStandIns(hasTable: boolean): Record<string, string> {
  if (hasTable) return {};
  return { '#lib/users/call-counter.ts': join(directory, 'call-counter.ts') };
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
    '#lib/catalog/kinds/kind-traits.ts': join(directory, 'kind-traits.ts'),
    '#lib/catalog/chosen-systems.ts': join(directory, 'chosen-systems.ts'),
    '#lib/reference/read-reference-file.ts': join(directory, 'reference-files.ts'),
    '#lib/telemetry/running-version.ts': join(directory, 'running-version.ts'),
  };
}
