import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** How requests get to DynamoDB. */
export type Connection = Pick<DynamoDBClientConfig, 'requestHandler' | 'signer'>;

/** Short against the function's own time, so that a lost answer is asked for again, not waited for. */
const overHttp: Connection = {
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000 },
};

let current = overHttp;

export function chooseConnection(): Connection {
  return current;
}

/**
 * For a process that has the engine in itself, before its functions are loaded: no socket, and
 * nothing to sign. Without a handler it is over HTTP again.
 */
export function connectInProcess(requestHandler: Connection['requestHandler']): void {
  current = requestHandler
    ? { requestHandler, signer: { sign: async (request) => request } }
    : overHttp;
}
