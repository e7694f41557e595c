import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Makes a new client ready for the way that its requests take. */
export type Connection = (client: DynamoDBClient) => void;

const overHttp: Connection = () => undefined;

let current = overHttp;

export function chooseConnection(): Connection {
  return current;
}

/**
 * For a process that has the engine in itself, before its functions are loaded. Without a
 * connection it is over HTTP again.
 */
export function connectInProcess(connection: Connection = overHttp): void {
  current = connection;
}
