import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** How requests get to DynamoDB. */
export interface Connection {
  readonly requestHandler: NonNullable<DynamoDBClientConfig['requestHandler']>;
  /** What a client does for requests that travel, by the names that the SDK gives its steps. */
  readonly needless: readonly string[];
}

/** Short against the function's own time, so that a lost answer is asked for again, not waited for. */
const overHttp: Connection = {
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000 },
  needless: [],
};

let current = overHttp;

export function chooseConnection(): Connection {
  return current;
}

/**
 * For a process that has the engine in itself, before its functions are loaded: no socket, nothing
 * to sign and nothing to repeat. Without a handler it is over HTTP again.
 */
export function connectInProcess(requestHandler: Connection['requestHandler'] | undefined): void {
  const needless = [
    'contentLengthMiddleware',
    'getUserAgentMiddleware',
    'hostHeaderMiddleware',
    'recursionDetectionMiddleware',
    'retryMiddleware',
    'httpSigningMiddleware',
  ];
  current = requestHandler ? { requestHandler, needless } : overHttp;
}
