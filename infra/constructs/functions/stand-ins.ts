import { join } from 'node:path';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import type { KindTraits } from '#lib/catalog/kinds/system-kind.ts';
import { type KindName, kindNames } from '#lib/catalog/kinds/system-kinds.ts';
import type { UserIds } from '#lib/config.ts';

const directory = join(import.meta.dirname, '../../../lib/stand-ins');

/**
 * Replaces parts of the SDK that functions never use, or use only in part. Each stand-in explains
 * why. The SDK imports the first two dynamically, which would make esbuild wrap nearly every module
 * in a function that V8 parses twice (docs/decisions/0004).
 */
const ofSdk: Readonly<Record<string, string>> = {
  'node:fs/promises': join(directory, 'fs-promises.ts'),
  '@smithy/core/event-streams': join(directory, 'event-streams.ts'),
  '@aws-sdk/credential-provider-node': join(directory, 'default-credentials.ts'),
  '@aws-sdk/middleware-endpoint-discovery': join(directory, 'endpoint-discovery.ts'),
  '@smithy/core/checksum': join(directory, 'checksums.ts'),
};

/** Names the file of a kind's connector, as open-connector.ts imports it. */
export function connectorFile(kind: KindName): string {
  const folder = kind === 'batch' ? 'aws-batch' : kind;
  return `lib/hpc/${folder}/${kind}-connector.ts`;
}

/** Leaves out connectors that no system of the catalog uses. */
export function connectorStandIns(named: ReadonlySet<string>): Record<string, string> {
  const leftOut = join(directory, 'left-out-connector.ts');
  return Object.fromEntries(
    kindNames
      .filter((kind) => !named.has(kind))
      .map((kind) => [`#${connectorFile(kind)}`, leftOut]),
  );
}

/** Leaves out ssh, which is larger than all connectors together, if no system is reached by it. */
function sshStandIns({ systems }: Catalog): Record<string, string> {
  if (systems.some(({ connector }) => 'reach' in connector)) return {};
  return { '#lib/hpc/slurm/slurm-by-ssh.ts': join(directory, 'slurm-ssh.ts') };
}

/** Copies the traits of the kinds in a catalog into the bundle (lib/stand-ins/kind-traits.ts). */
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
    ...(traits.keepsJobs && { keepsJobs: true }),
    ...(traits.fetchesScript && { fetchesScript: true }),
    ...(traits.serviceFetches && { serviceFetches: true }),
    ...(traits.arraySize !== undefined && { arraySize: traits.arraySize }),
    ...(traits.arrayLimitsRunning && { arrayLimitsRunning: true }),
  };
}

/** Leaves out the assignment of user numbers if they come from the issuer. */
function userNumberStandIns(userIds: UserIds): Record<string, string> {
  if (userIds === 'assigned') return {};
  return { '#lib/users/user-numbers.ts': join(directory, 'user-numbers.ts') };
}

/** Without a table, calls are counted only in memory. */
function callCounterStandIns(hasTable: boolean): Record<string, string> {
  if (hasTable) return {};
  return { '#lib/users/call-counter.ts': join(directory, 'call-counter.ts') };
}

/** Bundles send mail by SES, or not at all. The library for other servers is never in them. */
function mailStandIns(sendsMail: boolean): Record<string, string> {
  const file = sendsMail
    ? join(directory, '../mail/ses-sender.ts')
    : join(directory, 'mail-sender.ts');
  return { '#lib/mail/open-mail-sender.ts': file };
}

/** What to include in a bundle. */
export interface BundledParts {
  readonly catalog: Catalog;
  readonly userIds?: UserIds | undefined;
  readonly hasTable?: boolean;
  /** Whether the operator has named an address for mails (-c emailFrom=). */
  readonly sendsMail?: boolean;
}

/** Lists all stand-ins for a bundle. */
export function standInsFor({
  catalog,
  userIds = 'numeric',
  hasTable = true,
  sendsMail = false,
}: BundledParts): Readonly<Record<string, string>> {
  return {
    ...ofSdk,
    ...connectorStandIns(new Set(catalog.systems.map(({ connector }) => connector.kind))),
    ...sshStandIns(catalog),
    ...userNumberStandIns(userIds),
    ...callCounterStandIns(hasTable),
    ...mailStandIns(sendsMail),
    '#lib/catalog/kinds/kind-traits.ts': join(directory, 'kind-traits.ts'),
    '#lib/catalog/chosen-systems.ts': join(directory, 'chosen-systems.ts'),
    '#lib/reference/read-reference-file.ts': join(directory, 'reference-files.ts'),
    '#lib/table/share-table.ts': join(directory, 'share-table.ts'),
    '#lib/telemetry/running-version.ts': join(directory, 'running-version.ts'),
  };
}
