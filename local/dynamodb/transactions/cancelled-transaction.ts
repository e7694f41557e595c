import type { Item } from 'dynalite/db/index.js';
import dynalite from 'dynalite/db/index.js';
import { createServiceError, errorType, isServiceError } from '../dynalite/service-error.ts';

export interface CancellationReason {
  Code: string;
  Message?: string;
  Item?: Item;
}

/** Why one action of a transaction was refused. What is no refusal of that one is thrown on. */
export function explainRefusal(error: unknown, oldItem: Item | undefined): CancellationReason {
  if (!isServiceError(error)) throw error;
  const Message = String(error.body.message);
  switch (errorType(error)) {
    case 'ConditionalCheckFailedException':
      return { Code: 'ConditionalCheckFailed', Message, ...(oldItem && { Item: oldItem }) };
    case 'ValidationException':
      return { Code: 'ValidationError', Message };
    default:
      throw error;
  }
}

export function refuseCancelled(reasons: CancellationReason[]): void {
  if (reasons.every(({ Code }) => Code === 'None')) return;
  const codes = reasons.map(({ Code }) => Code).join(', ');
  throw createServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

export function refuseRepeatedItems(keys: string[]): void {
  if (new Set(keys).size === keys.length) return;
  throw dynalite.validationError(
    'Transaction request cannot include multiple operations on one item',
  );
}
