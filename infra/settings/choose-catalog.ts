import type { Catalog } from '#lib/catalog/catalog.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { serviceFetches } from '#lib/catalog/service-fetches.ts';
import { awsBatchCatalog } from './aws-batch.ts';
import { invalidContext } from './context-error.ts';

export const productionStage = 'prod';

/** The settings that decide on the catalog, as the operator gives them. */
interface CatalogSettings {
  readonly stage?: string | undefined;
  readonly catalog?: string | undefined;
  readonly batch?: string | boolean | undefined;
  readonly allowSimulator?: string | boolean | undefined;
}

/** Why a deployment cannot have some systems, although the laptop edition can. */
interface Refusal {
  isRefused(system: HpcSystem, settings: CatalogSettings): boolean;
  explain(names: string): string;
}

const refusals: readonly Refusal[] = [
  {
    // A function has no machine: it ends within minutes, and its disk with it.
    isRefused: ({ connector }) => connector.kind === 'machine',
    explain: (names) =>
      `${names} would run jobs on the machine of the service, which only ` +
      'the laptop edition (npm start) has; use the connector "slurm", "batch", "unicore" or "nsg" in a deployment (docs/catalog.md)',
  },
  {
    // Plain http is for files on the machine of a job, and a function would call itself.
    isRefused: (system) =>
      serviceFetches(system) &&
      (system.inputs?.hosts.some((host) => host.startsWith('http:')) ?? false),
    explain: (names) =>
      `the service would fetch inputs for ${names} from its own machine; leave out the hosts with http:// (docs/catalog.md)`,
  },
  {
    // Simulated jobs run nowhere but are charged, so production must ask for simulators explicitly.
    isRefused: (system, { stage, allowSimulator }) =>
      stage === productionStage && traitsOf(system).simulated && String(allowSimulator) !== 'true',
    explain: (names) =>
      `${names} would be simulated in ${productionStage}, and run no job; ` +
      'name a catalog of your own systems (-c catalog=./centre.json, docs/catalog.md), or add -c allowSimulator=true',
  },
  {
    // Functions sign addresses of buckets with their own roles, which another storage does not know.
    isRefused: ({ inputs, outputs }) =>
      [inputs, outputs].some((rules) =>
        rules?.buckets?.some(({ endpoint }) => endpoint !== undefined),
      ),
    explain: (names) =>
      `${names} would use buckets of a storage other than S3, which only ` +
      'the laptop edition (npm start) can; leave out "endpoint", or those buckets (docs/catalog.md)',
  },
];

/** Reads the catalog of a deployment. Throws a ContextError if it has systems for others. */
export function chooseCatalog(settings: CatalogSettings): Catalog {
  const catalog = readChosen(settings);
  for (const { isRefused, explain } of refusals) {
    const refused = catalog.systems.filter((system) => isRefused(system, settings));
    if (refused.length === 0) continue;
    const names = refused.map(({ name }) => name).join(', ');
    throw invalidContext(`catalog: ${explain(names)}`);
  }
  return catalog;
}

/** Deploys with AWS Batch, if the operator asks for it without naming any system. */
function readChosen({ catalog: path, batch }: CatalogSettings): Catalog {
  const isAsked = String(batch) === 'true';
  const catalog = readCatalog(path ?? (isAsked ? awsBatchCatalog : undefined));
  if (!isAsked || catalog.systems.some(({ connector }) => connector.kind === 'batch')) {
    return catalog;
  }
  throw invalidContext(
    `batch: the catalog ${path} has no system with the connector "batch"; ` +
      'add one (docs/catalog.md), or leave out either setting',
  );
}
