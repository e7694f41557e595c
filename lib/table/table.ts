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
  const { requestHandler, needless } = chooseConnection();
  const client = new DynamoDBClient({ maxAttempts: 3, requestHandler });
  translateFailures(client);
  // The SDK makes a copy of all that it sent and got, without its secrets, for a logger that is not
  // there: a tenth of the time that a page of jobs takes.
  for (const step of ['loggerMiddleware', ...needless]) client.middlewareStack.remove(step);
  return {
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    name,
  };
}
