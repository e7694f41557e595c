import type { Answer } from '../operations/answer.ts';
import {
  createTable,
  deleteTable,
  describeTable,
  describeTimeToLive,
  listTables,
  updateTimeToLive,
} from '../operations/change-tables.ts';
import { batchGetItem, getItem } from '../operations/read-items.ts';
import { transactGetItems, transactWriteItems } from '../operations/transactions.ts';
import { batchWriteItem, deleteItem, putItem, updateItem } from '../operations/write-items.ts';
import { query, scan } from '../pages/read-page.ts';
import type { Engine } from '../store/engine.ts';
import type { Caller } from '../store/group-commit.ts';
import { ServiceError } from '../values/errors.ts';

export type Outcome =
  | { readonly answer: Answer; readonly refusal?: never }
  | { readonly refusal: ServiceError };

/** Never throws. Every failure becomes a refusal. */
export function runOperation(engine: Engine, name: string, body: unknown): Outcome {
  try {
    return { answer: callOperation(engine, name, body) };
  } catch (error) {
    return { refusal: explainFailure(engine, error) };
  }
}

/** Runs an operation for a caller in this process, in one commit with others of the same turn. */
export async function runTogether(
  engine: Engine,
  name: string,
  body: unknown,
  caller?: Caller,
): Promise<Answer> {
  try {
    return await engine.commits.run(() => callOperation(engine, name, body), caller);
  } catch (error) {
    throw explainFailure(engine, error);
  }
}

function callOperation(engine: Engine, name: string, body: unknown): Answer {
  const operation = operations.get(name);
  if (operation) return operation(engine, body);
  throw new ServiceError('UnknownOperationException', `No such operation: ${name}`);
}

/** Describes a full disk, a damaged file or a bug. Nothing was written, so the client may retry. */
function explainFailure({ database }: Engine, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  database.noteFailure(error);
  // The database has already reported the damage.
  if (!database.isDamaged) {
    console.error('Embedded DynamoDB:', error instanceof Error ? error.message : error);
  }
  return new ServiceError('InternalServerError', 'The embedded DynamoDB failed.', { status: 500 });
}

type Operation = (engine: Engine, body: unknown) => Answer;

/** Maps the names in `X-Amz-Target` to operations. All operations are synchronous. */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['GetItem', getItem],
  ['BatchGetItem', batchGetItem],
  ['Query', query],
  ['Scan', scan],
  ['PutItem', putItem],
  ['UpdateItem', updateItem],
  ['DeleteItem', (engine, body) => deleteItem(engine, body)],
  ['BatchWriteItem', batchWriteItem],
  ['TransactWriteItems', transactWriteItems],
  ['TransactGetItems', transactGetItems],
  ['CreateTable', createTable],
  ['DescribeTable', describeTable],
  ['DeleteTable', deleteTable],
  ['ListTables', listTables],
  ['UpdateTimeToLive', updateTimeToLive],
  ['DescribeTimeToLive', describeTimeToLive],
]);
