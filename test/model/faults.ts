import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Table } from '#lib/table/table.ts';
import type { Fault } from './history.ts';

export class CrashError extends Error {
  override name = 'CrashError';
}

/** Several parallel calls of a process may die with it. */
export function isCrash(outcome: unknown): boolean {
  if (outcome instanceof AggregateError) return outcome.errors.some(isCrash);
  return outcome instanceof CrashError;
}

export type Faults = ReturnType<typeof injectFaults>;

/** Lets a table fail as a step wants it to. */
export function injectFaults(table: Table) {
  let fault: Fault | null = null;
  let calls = 0;

  async function mayDie<T>(at: number, takesEffect: boolean, call: () => Promise<T>): Promise<T> {
    calls += 1;
    if (calls < at) return call();
    if (calls === at && takesEffect) await call();
    throw new CrashError();
  }

  table.client.middlewareStack.add(
    (next, { commandName }) =>
      async (parameters) => {
        if (fault?.kind === 'crash') {
          return mayDie(fault.at, fault.takesEffect, () => next(parameters));
        }
        if (fault?.kind === 'conflict' && commandName === 'TransactWriteItemsCommand') {
          fault = fault.times > 1 ? { kind: 'conflict', times: fault.times - 1 } : null;
          throw conflictOf(parameters.input);
        }
        return next(parameters);
      },
    { step: 'initialize', priority: 'low' },
  );
  return {
    /** Runs an action under a fault; what a dead process left behind is for the caller to find. */
    async run<T>(chosen: Fault | null, action: () => Promise<T>): Promise<T | CrashError> {
      fault = chosen;
      calls = 0;
      try {
        return await action();
      } catch (error) {
        if (error instanceof CrashError) return error;
        throw error;
      } finally {
        fault = null;
      }
    },
  };
}

function conflictOf(input: object): TransactionCanceledException {
  const { TransactItems = [] }: { TransactItems?: object[] } = input;
  return new TransactionCanceledException({
    $metadata: {},
    message: 'Transaction cancelled',
    CancellationReasons: TransactItems.map((_, index) => ({
      Code: index === 0 ? 'TransactionConflict' : 'None',
    })),
  });
}
