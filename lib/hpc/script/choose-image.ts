import { datasetsFor } from '#lib/catalog/datasets.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { judgeImage } from '#lib/catalog/images.ts';
import type { Runtime } from '#lib/catalog/kinds/containers.ts';
import type { JobOrder } from '../connector.ts';
import { JobRefusedError } from '../errors.ts';

/** A file or folder of the system, which has the same path in the container. */
export interface Mount {
  readonly path: string;
  readonly writable?: boolean | undefined;
}

/** An image, and how its containers run. */
export interface ImageTerms {
  readonly runtime: Runtime;
  readonly image: string;
  readonly gpus: boolean;
  readonly mounts: readonly Mount[];
  /** `{account}` stands for the account that a job runs as. */
  readonly cache?: string | undefined;
}

type Ordered = Pick<JobOrder, 'image' | 'project' | 'gpusPerNode'>;
/** What a system says about images. */
export type ImageSite = Pick<HpcSystem, 'containers' | 'datasets' | 'gpusPerNode'>;

/**
 * Returns the terms for the image of a job, or undefined for a job without one. Throws if the catalog
 * does not allow it any more, or not on this kind of system. `keptPath` is the folder of its project.
 */
export function chooseImage(
  system: ImageSite,
  order: Ordered,
  keptPath?: string,
): ImageTerms | undefined {
  const image = requireAllowed(system, order);
  const { containers } = system;
  if (image === undefined || !containers || containers.runtime === 'batch') return undefined;
  const { runtime, gpus = false, cache } = containers;
  return {
    runtime,
    image,
    gpus: gpus && (system.gpusPerNode === undefined || (order.gpusPerNode ?? 0) > 0),
    mounts: [
      ...listMounts(system, order),
      ...(keptPath === undefined ? [] : [{ path: keptPath, writable: true }]),
    ],
    cache,
  };
}

/** Returns the image of a job. Throws if the catalog does not allow it any more. */
export function requireAllowed(system: ImageSite, { image }: Ordered): string | undefined {
  if (image === undefined) return undefined;
  const fault = system.containers ? judgeImage(system, image) : 'This system runs no images.';
  if (fault === undefined) return image;
  throw new JobRefusedError(`The job cannot run in ${image}. ${fault}`);
}

/** Lists what a container shows besides the folders of its job. */
function listMounts(system: ImageSite, { project }: Ordered): Mount[] {
  const { containers, datasets = [] } = system;
  const data = project === undefined ? datasets : datasetsFor(system, project);
  const added = containers && 'mounts' in containers ? containers.mounts : [];
  return [...data.map(({ path }) => ({ path })), ...(added ?? [])];
}

/** Picks what a system says about images. */
export function imageSiteOf({ containers, datasets, gpusPerNode }: ImageSite): ImageSite {
  return {
    ...(containers && { containers }),
    ...(datasets && { datasets }),
    ...(gpusPerNode !== undefined && { gpusPerNode }),
  };
}
