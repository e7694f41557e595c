import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#lib/table/table.ts';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const local: Credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Opens the service's table at an address, from outside the service. */
export function openTableAt(endpoint: string, name: string, credentials = local): Table {
  const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials });
  const marshallOptions = { removeUndefinedValues: true };
  return { client: DynamoDBDocumentClient.from(client, { marshallOptions }), name };
}
