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
import { batchWriteItem, deleteItem, putItem, updateItem } from '../operations/write-items.ts';
import { query, scan } from '../pages/read-page.ts';
import type { Engine } from '../store/engine.ts';
import { transactGetItems } from '../transactions/transact-get-items.ts';
import { transactWriteItems } from '../transactions/transact-write-items.ts';

type Operation = (engine: Engine, body: unknown) => Answer;

/** Every operation by the name that stands in `X-Amz-Target`. None of them waits for anything. */
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
