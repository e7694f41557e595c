import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { PartitionFullError, StaleReadError, TableBusyError } from './errors.ts';
import type { Table } from './table.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Input<Kind extends keyof Write> = Omit<NonNullable<Write[Kind]>, 'TableName'>;
type StoredItem = Readonly<Record<string, unknown>>;

/** One write of a transaction, with the error to throw if its condition does not hold. */
export interface Step {
  readonly Put?: Input<'Put'>;
  readonly Update?: Input<'Update'>;
  readonly Delete?: Input<'Delete'>;
  readonly refuse: (stored: StoredItem | undefined) => Error;
  /**
   * The error to throw if others keep writing this item for too long. TableBusyError by default.
   */
  readonly giveUp?: (cause: unknown) => Error;
}

export interface RetryPolicy {
  readonly baseMs: number;
  readonly capMs: number;
  readonly budgetMs: number;
  readonly random: () => number;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** The budget stays below a function's timeout, so that the caller still gets an answer. */
const patience: RetryPolicy = {
  baseMs: 20,
  capMs: 400,
  budgetMs: 8_000,
  random: Math.random,
  now: Date.now,
  wait: (ms) => sleep(ms),
};

/**
 * Writes all steps or none. If the transaction is cancelled, the first step with a reason decides.
 * A failed condition throws that step's refusal, and a conflict with another transaction is retried
 * with full jitter. So order the steps by which refusal matters most.
 */
export async function writeTransaction(
  table: Table,
  steps: readonly Step[],
  policy: RetryPolicy = patience,
): Promise<void> {
  const deadline = policy.now() + policy.budgetMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await table.client.send(
        new TransactWriteCommand({
          TransactItems: steps.map((step) => nameTable(step, table.name)),
        }),
      );
      return;
    } catch (error) {
      const { refusal, giveUp } = explainCancellation(error, steps);
      if (refusal) throw refusal;
      const pause = policy.random() * Math.min(policy.capMs, policy.baseMs * 2 ** attempt);
      if (policy.now() + pause > deadline) throw giveUp(error);
      await policy.wait(pause);
    }
  }
}

function nameTable({ Put, Update, Delete }: Step, TableName: string): Write {
  return {
    ...(Put && { Put: { TableName, ...Put } }),
    ...(Update && { Update: { TableName, ...Update } }),
    ...(Delete && { Delete: { TableName, ...Delete } }),
  };
}

const passing = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

interface Explanation {
  /** Missing if the same transaction may succeed in a moment. */
  readonly refusal?: unknown;
  readonly giveUp: (cause: unknown) => Error;
}

const busy = (cause: unknown) => new TableBusyError({ cause });

function explainCancellation(error: unknown, steps: readonly Step[]): Explanation {
  if (!(error instanceof TransactionCanceledException)) return { refusal: error, giveUp: busy };
  const reasons = error.CancellationReasons ?? [];
  const position = reasons.findIndex(({ Code }) => Code !== undefined && Code !== 'None');
  const reason = reasons[position];
  const step = steps[position];
  const giveUp = step?.giveUp ?? busy;
  if (reason?.Code !== undefined && passing.has(reason.Code)) return { giveUp };
  if (reason?.Code === 'ItemCollectionSizeLimitExceeded') {
    return { refusal: new PartitionFullError({ cause: error }), giveUp };
  }
  if (reason?.Code !== 'ConditionalCheckFailed' || !step) return { refusal: error, giveUp };
  return { refusal: step.refuse(reason.Item && unmarshall(reason.Item)), giveUp };
}

/** A high limit is safe, because a round fails only if another change was written. */
const maxRounds = 50;

/**
 * Reads, decides and writes. If the data changed after it was read, starts again, at once or after
 * a pause if many write the same item.
 */
export async function decideUntilWritten<Decided>(
  attempt: () => Promise<Decided>,
  pause: (round: number) => Promise<unknown> = async () => undefined,
): Promise<Decided> {
  for (let round = 0; round < maxRounds; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleReadError)) throw error;
      await pause(round);
    }
  }
  throw new TableBusyError();
}
