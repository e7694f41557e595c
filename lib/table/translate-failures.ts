import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PartitionFullError, TableBusyError, TableUnavailableError } from './errors.ts';

const throttled = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
]);

/**
 * What still fails after the SDK's own retries and is not the request's fault becomes an error of
 * the domain: the client is told to come again, instead of being shown a fault of ours.
 */
export function translateFailures(client: DynamoDBClient): void {
  client.middlewareStack.add((next) => async (parameters) => {
    try {
      return await next(parameters);
    } catch (error) {
      throw translateFailure(error);
    }
  });
}

export function translateFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (throttled.has(error.name)) return new TableBusyError({ cause: error });
  if (error.name === 'ItemCollectionSizeLimitExceededException') {
    return new PartitionFullError({ cause: error });
  }
  const unreachable = error.name === 'TimeoutError' || 'code' in error;
  const faulty = '$fault' in error && error.$fault === 'server';
  return unreachable || faulty ? new TableUnavailableError({ cause: error }) : error;
}
