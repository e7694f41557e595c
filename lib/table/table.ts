import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ClientOptions, openClient } from '#lib/outbound/open-client.ts';
import { chooseConnection } from './connection.ts';
import { translateFailures } from './translate-failures.ts';

export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

/** Unless it is said, the endpoint comes from the SDK's own AWS_ENDPOINT_URL_DYNAMODB. */
export function openTable(name: string, options?: ClientOptions): Table {
  const client = openClient(DynamoDBClient, options);
  translateFailures(client);
  // The SDK makes a copy of all that it sent and got, without its secrets, for a logger that is not
  // there: a tenth of the time that a page of jobs takes.
  client.middlewareStack.remove('loggerMiddleware');
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  chooseConnection()(documents);
  return { client: documents, name };
}
