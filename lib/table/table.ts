import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { chooseConnection } from './connection.ts';
import { translateFailures } from './translate-failures.ts';

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
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000 },
  });
  translateFailures(client);
  // The SDK makes a copy of all that it sent and got, without its secrets, for a logger that is not
  // there: a tenth of the time that a page of jobs takes.
  client.middlewareStack.remove('loggerMiddleware');
  chooseConnection()(client);
  return {
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    name,
  };
}
