import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

/**
 * The endpoint comes from the SDK's own AWS_ENDPOINT_URL_DYNAMODB. The timeouts are short against
 * the function's own, so that a lost answer is asked for again instead of waited for.
 */
export function openTable(name: string): Table {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 4_000,
      httpsAgent: { maxSockets: 50 },
    },
  });
  return {
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    name,
  };
}
