import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ClientOptions, openClient } from '#lib/outbound/open-client.ts';
import { chooseConnection } from './connection.ts';
import { translateFailures } from './translate-failures.ts';

export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

/** Takes the endpoint from the SDK's own AWS_ENDPOINT_URL_DYNAMODB, unless the options name one. */
export function openTable(name: string, options?: ClientOptions): Table {
  const client = openClient(DynamoDBClient, options);
  translateFailures(client);
  // This middleware copies every request and response for a logger that we do not set. That takes a
  // tenth of the time of reading a page of jobs.
  client.middlewareStack.remove('loggerMiddleware');
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
  chooseConnection()(documents);
  return { client: documents, name };
}
