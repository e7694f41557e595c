import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PartitionFullError, TableBusyError, TableUnavailableError } from './errors.ts';

const throttled = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
]);

/**
 * Translates failures that remain after the SDK's own retries into domain errors, unless the
 * request itself is wrong. So the client is told to retry, instead of seeing an internal error.
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
