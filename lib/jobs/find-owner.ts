import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { jobRegistry, userOfPartition } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Table } from '../table/table.ts';
import { JobNotFoundError } from './errors.ts';

const RegistryEntry = v.object({ PK: v.string() });

/** Whose job it is, by the registry: a job that was submitted a moment ago may not be there yet. */
export async function findOwner(table: Table, jobId: string): Promise<string> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'registry',
      KeyConditionExpression: 'registry = :job',
      ExpressionAttributeValues: { ':job': jobRegistry(jobId) },
      Limit: 1,
    }),
  );
  const [entry] = Items;
  if (!entry) throw new JobNotFoundError();
  return userOfPartition(parseItem(RegistryEntry, entry).PK);
}
