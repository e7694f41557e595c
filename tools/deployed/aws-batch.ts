import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type AwsBatchSystem, awsBatchCatalog } from '#infra/settings/aws-batch.ts';
import { shippedCatalog } from '#lib/catalog/file/read-catalog.ts';
import { account, region, type Variables } from './emulator.ts';
import { type Scene, tell } from './scene.ts';

const CatalogForm = v.object({
  systems: v.array(v.looseObject({ projects: v.array(v.looseObject({ number: v.number() })) })),
});

/** Writes a catalog with the systems that ship and one on AWS Batch. */
export function writeCatalog(directory: string): string {
  const [shipped, awsBatch] = [shippedCatalog, awsBatchCatalog].map(
    (file) => v.parse(CatalogForm, JSON.parse(readFileSync(file, 'utf8'))).systems,
  );
  const systems = [...(shipped ?? []), ...(awsBatch ?? [])];
  // Each file counts its projects from 1.
  let number = 0;
  for (const project of systems.flatMap(({ projects }) => projects)) {
    number += 1;
    project.number = number;
  }
  const file = join(directory, 'catalog.json');
  writeFileSync(file, JSON.stringify({ systems }));
  return file;
}

/** Stands for AWS Batch, which the emulator cannot run. Containers are processes of this machine. */
export interface Imitation {
  /** Leads the functions of the emulator here. */
  readonly environment: Variables;
  /** Lets containers that start from now on reach the deployed API. */
  connect(variables: Variables): void;
  close(): void;
}

const program = join(import.meta.dirname, '../../test/upstreams/serve-batch.ts');

export async function openImitation({ queue, definition }: AwsBatchSystem): Promise<Imitation> {
  const child = fork(program);
  child.send({ queue, definition });
  const [message] = await once(child, 'message');
  const { url } = v.parse(v.object({ url: v.string() }), message);
  child.send({ PATH: '/usr/bin:/bin' });
  return {
    environment: { AWS_ENDPOINT_URL_BATCH: url },
    connect: (variables) => void child.send(variables),
    close: () => child.disconnect(),
  };
}

/** Reports the end of a job on the bus, as AWS Batch would. The emulator lets anybody do so. */
export async function reportJob(
  { step, deployment }: Scene,
  { queue }: AwsBatchSystem,
): Promise<void> {
  await step('report', async () => {
    const jobQueue = `arn:aws:batch:${region}:${account}:job-queue/${queue}`;
    const job = { jobName: 'of-somebody-else', jobId: randomUUID(), jobQueue };
    const entry = {
      Source: 'aws.batch',
      DetailType: 'Batch Job State Change',
      Detail: JSON.stringify({ ...job, status: 'SUCCEEDED' }),
    };
    await deployment.aws('events', 'put-events', '--entries', JSON.stringify([entry]));
    return tell('an end, sent to the default bus');
  });
}
