import { ConditionFailedError } from '../operations/evaluate-write.ts';
import { ServiceError } from '../refusals/service-error.ts';
import type { Item } from '../values/attribute-value.ts';

export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

/** Does each action, and cancels all where one of them is refused, with the reason of each. */
export function doEachOrCancel<Action, Result>(
  actions: readonly Action[],
  act: (action: Action) => Result,
): Result[] {
  const results: Result[] = [];
  const reasons = actions.map((action): CancellationReason => {
    try {
      results.push(act(action));
      return { Code: 'None' };
    } catch (error) {
      return explainRefusal(error);
    }
  });
  if (results.length < actions.length) throw cancelled(reasons);
  return results;
}

/** What is no refusal of one action is thrown on. */
function explainRefusal(error: unknown): CancellationReason {
  if (error instanceof ConditionFailedError) {
    const { message: Message, shownItem } = error;
    return { Code: 'ConditionalCheckFailed', Message, ...(shownItem && { Item: shownItem }) };
  }
  if (error instanceof ServiceError && error.type === 'ValidationException') {
    return { Code: 'ValidationError', Message: error.message };
  }
  throw error;
}

function cancelled(reasons: readonly CancellationReason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}
