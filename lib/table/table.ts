import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { chooseConnection } from './connection.ts';
import { translateFailures } from './translate-failures.ts';

export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

/** The endpoint comes from the SDK's own AWS_ENDPOINT_URL_DYNAMODB. */
export function openTable(name: string): Table {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    ...chooseConnection(),
  });
  translateFailures(client);
  return {
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    name,
  };
}
