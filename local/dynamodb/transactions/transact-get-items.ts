import { type Answer, withCapacities } from '../operations/answer.ts';
import { readKey } from '../operations/check-key.ts';
import { costOfFetch, reportCapacity } from '../operations/consumed-capacity.ts';
import { fetchItem, readProjection, showItem } from '../operations/read-items.ts';
import { refuseRepeatedKeys } from '../operations/write-items.ts';
import { parseRequest } from '../requests/parse-request.ts';
import { TransactGetItems } from '../requests/transaction-requests.ts';
import type { Engine } from '../store/engine.ts';
import { doEachOrCancel } from './do-each-or-cancel.ts';

export function transactGetItems(engine: Engine, body: unknown): Answer {
  const request = parseRequest(TransactGetItems, body);
  const gets = request.TransactItems.map(({ Get }) => ({
    table: engine.tables.require(Get.TableName),
    paths: readProjection(Get),
    key: Get.Key,
  }));
  const fetches = doEachOrCancel(gets, ({ key, ...get }) => ({
    ...get,
    key: readKey(get.table, key),
  }));
  refuseRepeatedKeys(fetches, 'Transaction request cannot include multiple operations on one item');
  const found = fetches.map((fetch) => ({ ...fetch, item: fetchItem(engine, fetch) }));
  return withCapacities(
    { Responses: found.map(({ item, paths }) => (item ? { Item: showItem(item, paths) } : {})) },
    reportCapacity(request.ReturnConsumedCapacity, () =>
      found.map(({ table, item }) => costOfFetch(table.name, item?.bytes, 2)),
    ),
  );
}
