import { join } from 'node:path';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { defaultImage } from '#lib/catalog/kinds/fargate.ts';

/** The catalog of a deployment with `-c batch=true` and no catalog of its own. */
export const awsBatchCatalog = join(import.meta.dirname, '../../docs/examples/aws-batch.json');

/** A system of the catalog that AWS Batch runs, and where it does so. */
export interface AwsBatchSystem {
  readonly name: string;
  /** The name or ARN of its job queue. */
  readonly queue: string;
  /** The names or ARNs of the queues that its classes name. */
  readonly classQueues: readonly string[];
  /** The name or ARN of its job definition. */
  readonly definition: string;
  /** The names or ARNs of the job definitions that have images of the catalog. */
  readonly imageDefinitions: readonly string[];
  /** What the deployment creates for it. Undefined if the catalog names its queue. */
  readonly creates: { readonly image: string; readonly capacity: Capacity } | undefined;
}

/** Spot is spare capacity, which AWS may reclaim. */
export type Capacity = 'FARGATE' | 'FARGATE_SPOT';

/**
 * Lists the systems on AWS Batch. What the deployment creates has fixed names, so that the service
 * can refer to it without an export, which CloudFormation would not let change or go.
 */
export function listAwsBatchSystems(service: string, { systems }: Catalog): AwsBatchSystem[] {
  return systems.flatMap(({ name, connector, containers, classes = [] }): AwsBatchSystem[] => {
    if (connector.kind !== 'batch') return [];
    const classQueues = classes.flatMap((each) => each.queue ?? []);
    const imageDefinitions =
      containers?.runtime === 'batch' ? Object.values(containers.images) : [];
    const { queue, jobDefinition, image = defaultImage, spot = false } = connector;
    if (queue !== undefined && jobDefinition !== undefined) {
      const definition = jobDefinition;
      return [{ name, queue, classQueues, definition, imageDefinitions, creates: undefined }];
    }
    const capacity = spot ? 'FARGATE_SPOT' : 'FARGATE';
    return [
      {
        name,
        queue: queueNames[capacity](service),
        classQueues,
        definition: `${service}-${name}`,
        imageDefinitions,
        creates: { image, capacity },
      },
    ];
  });
}

/** Names the queue for one kind of capacity. */
export const queueNames = {
  FARGATE: (service: string) => `${service}-jobs`,
  FARGATE_SPOT: (service: string) => `${service}-spot-jobs`,
} as const satisfies Record<Capacity, (service: string) => string>;
