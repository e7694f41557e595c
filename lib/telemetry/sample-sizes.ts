import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { logger } from './logger.ts';
import { reportPartitionSize } from './metrics.ts';

/** The share of writes that ask for the size of their partitions. The answer costs nothing. */
const share = 1 / 100;

/** Partitions of a table with local indexes hold at most 10 GB. From here on somebody must act. */
export const fillingGigabytes = 8;

const commands = new Set(['PutItemCommand', 'TransactWriteItemsCommand']);

const Collection = v.object({
  ItemCollectionKey: v.fallback(v.object({ PK: v.object({ S: v.string() }) }), { PK: { S: '' } }),
  /** The lower and the upper estimate. */
  SizeEstimateRangeGB: v.tuple([v.number(), v.number()]),
});
/** A single write returns one collection; a transaction returns them by table. */
const Sampled = v.object({
  ItemCollectionMetrics: v.union([
    v.pipe(
      Collection,
      v.transform((one) => [one]),
    ),
    v.pipe(
      v.record(v.string(), v.array(Collection)),
      v.transform((byTable) => Object.values(byTable).flat()),
    ),
  ]),
});

/** Watches the size of the partitions that a function writes to: a full one accepts no writes. */
export function sampleSizes(client: DynamoDBDocumentClient, random = Math.random): void {
  client.middlewareStack.add((next, { commandName = '' }) => async (parameters) => {
    if (!commands.has(commandName) || random() >= share) return next(parameters);
    const input = { ...parameters.input, ReturnItemCollectionMetrics: 'SIZE' };
    const result = await next({ ...parameters, input });
    reportSizes(result.output);
    return result;
  });
}

function reportSizes(output: unknown): void {
  const sampled = v.safeParse(Sampled, output);
  if (!sampled.success) return;
  for (const { ItemCollectionKey, SizeEstimateRangeGB } of sampled.output.ItemCollectionMetrics) {
    const [, gigabytes] = SizeEstimateRangeGB;
    reportPartitionSize(gigabytes);
    if (gigabytes < fillingGigabytes) continue;
    logger.warn('partition fills up', { partition: ItemCollectionKey.PK.S, gigabytes });
  }
}
