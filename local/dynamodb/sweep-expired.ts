import type { Item, Store, Table } from 'dynalite/db/index.js';
import { errorType, isServiceError } from './dynalite/service-error.ts';
import type { Engine } from './engine/engine.ts';
import { endOf, itemPrefix, tableKey } from './engine/key-layout.ts';
import { writeItems } from './operations/item-operations.ts';
import { listTimesToLive } from './operations/time-to-live.ts';
import { forgetExpiredTokens } from './transactions/transaction-tokens.ts';

// As the service: a time further back is taken for a mistake, and the item stays.
const oldestSeconds = 5 * 365 * 24 * 3600;

/**
 * Deletes what its time to live has ended for. It reads every item of such a table; at the size of
 * a laptop's table that is cheaper than an index of times that every write would have to keep.
 */
export async function sweepExpired(engine: Engine): Promise<void> {
  const { store, queue } = engine;
  const nowSeconds = Math.floor(engine.now() / 1000);
  for (const { tableName, attribute } of await listTimesToLive(store.db)) {
    const table = store.db.getSync<Table>(tableKey(tableName));
    if (!table) continue;
    for await (const item of findExpired(store, tableName, attribute, nowSeconds)) {
      await deleteExpired(engine, table, attribute, item, nowSeconds);
    }
  }
  await queue.run(() => forgetExpiredTokens(store.db, engine.now()));
}

async function* findExpired(
  store: Store,
  tableName: string,
  attribute: string,
  nowSeconds: number,
): AsyncGenerator<Item> {
  const prefix = itemPrefix(tableName);
  const iterator = store.db.iterator<Item>({ gte: prefix, lt: endOf(prefix) });
  try {
    for (;;) {
      const entries = await iterator.nextv(100);
      if (entries.length === 0) return;
      for (const [, item] of entries) {
        const expires = Number(item[attribute]?.N);
        if (expires <= nowSeconds && expires > nowSeconds - oldestSeconds) yield item;
      }
    }
  } finally {
    await iterator.close();
  }
}

async function deleteExpired(
  engine: Engine,
  table: Table,
  attribute: string,
  item: Item,
  nowSeconds: number,
): Promise<void> {
  const keyNames = table.KeySchema.map(({ AttributeName }) => AttributeName);
  const request = {
    TableName: table.TableName,
    Key: Object.fromEntries(keyNames.map((name) => [name, item[name]])),
    // Between the look and the deletion the item may have got a new time.
    ConditionExpression: '#expires <= :now',
    ExpressionAttributeNames: { '#expires': attribute },
    ExpressionAttributeValues: { ':now': { N: String(nowSeconds) } },
  };
  await writeItems(engine, 'DeleteItem', request, 'expiry').catch((error) => {
    const isRenewed =
      isServiceError(error) && errorType(error) === 'ConditionalCheckFailedException';
    if (!isRenewed) throw error;
  });
}
