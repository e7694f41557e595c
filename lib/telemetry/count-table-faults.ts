import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { countTableFault } from './metrics.ts';

const throttles = new Set([
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ThrottlingException',
]);

const watched = new WeakSet<DynamoDBDocumentClient>();

/**
 * Counts each try that the table refused or failed, also those that the SDK repeats with success.
 * The metrics of DynamoDB say the same, but an alarm would pay for each of its operations and indexes.
 */
export function countTableFaults(client: DynamoDBDocumentClient): void {
  // All functions of a process share one client.
  if (watched.has(client)) return;
  watched.add(client);
  client.middlewareStack.add(
    (next) => async (parameters) => {
      try {
        return await next(parameters);
      } catch (error) {
        const fault = findFault(error);
        if (fault) countTableFault(fault);
        throw error;
      }
    },
    // Within the repetitions of the SDK, which come first in this step.
    { step: 'finalizeRequest', priority: 'low' },
  );
}

function findFault(error: unknown): 'tableErrors' | 'tableThrottles' | undefined {
  if (!(error instanceof Error)) return undefined;
  if (throttles.has(error.name) || listReasons(error).some((code) => throttles.has(code))) {
    return 'tableThrottles';
  }
  return '$fault' in error && error.$fault === 'server' ? 'tableErrors' : undefined;
}

/** Why a transaction was cancelled, an entry for each of its items. */
function listReasons(error: Error): string[] {
  if (!('CancellationReasons' in error) || !Array.isArray(error.CancellationReasons)) return [];
  return error.CancellationReasons.map(({ Code }: { Code?: unknown }) => String(Code));
}
